/* SPDX-License-Identifier: MIT */
/* Where things lie in the records of i915-perf-recorder, behind the 8 bytes of their header. */
#ifndef HADAL_LIB_OA_RECORDING_H
#define HADAL_LIB_OA_RECORDING_H

/* Version: u32 version, u32 unused. */
#define OA_RECORDING_VERSION 1u
#define OA_VERSION_BODY 8u

/* Device. */
#define OA_DEVICE_TIMESTAMP_HZ 0
#define OA_DEVICE_ID 8
#define OA_DEVICE_REVISION 12
#define OA_DEVICE_MIN_HZ 16
#define OA_DEVICE_MAX_HZ 20
#define OA_DEVICE_ENGINE_CLASS 24
#define OA_DEVICE_ENGINE_INSTANCE 28
#define OA_DEVICE_FORMAT 32
#define OA_DEVICE_SET_NAME 36
#define OA_DEVICE_SET_UUID 292
#define OA_DEVICE_BODY 336u

/* Correlation: u64 CPU ns, u64 GPU ticks. */
#define OA_CORRELATION_BODY 16u

#endif
