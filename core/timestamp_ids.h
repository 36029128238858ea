/* SPDX-License-Identifier: MIT */
/*
 * All timestamp IDs in use upstream: the numbers that firmware writes, and what readers print.
 *
 *	X(id, enum name, end, label, range)
 *
 * @end is the ID that closes the range which this one opens, 0 if it opens none; @range names
 * that range. IDs, enum names, ends and labels are those of coreboot's release 26.06, odd ones
 * included (501 ends itself, 507's label ends in a blank): scripts rely on them. The names of
 * ranges are hadal's.
 */
#ifndef HADAL_CORE_TIMESTAMP_IDS_H
#define HADAL_CORE_TIMESTAMP_IDS_H

/* clang-format off */
#define TIMESTAMP_IDS(X) \
	X(0, TS_START, 0, "1st timestamp", NULL) \
	X(1, TS_ROMSTAGE_START, 4, "start of romstage", "romstage") \
	X(2, TS_INITRAM_START, 3, "before RAM initialization", "RAM initialization") \
	X(3, TS_INITRAM_END, 0, "after RAM initialization", NULL) \
	X(4, TS_ROMSTAGE_END, 0, "end of romstage", NULL) \
	X(5, TS_VBOOT_START, 6, "start of verified boot", "verified boot") \
	X(6, TS_VBOOT_END, 0, "end of verified boot", NULL) \
	X(8, TS_COPYRAM_START, 9, "starting to load ramstage", "load ramstage") \
	X(9, TS_COPYRAM_END, 0, "finished loading ramstage", NULL) \
	X(10, TS_RAMSTAGE_START, 0, "start of ramstage", NULL) \
	X(11, TS_BOOTBLOCK_START, 12, "start of bootblock", "bootblock") \
	X(12, TS_BOOTBLOCK_END, 0, "end of bootblock", NULL) \
	X(13, TS_COPYROM_START, 14, "starting to load romstage", "load romstage") \
	X(14, TS_COPYROM_END, 0, "finished loading romstage", NULL) \
	X(15, TS_ULZMA_START, 16, "starting LZMA decompress (ignore for x86)", "LZMA decompress") \
	X(16, TS_ULZMA_END, 0, "finished LZMA decompress (ignore for x86)", NULL) \
	X(17, TS_ULZ4F_START, 18, "starting LZ4 decompress (ignore for x86)", "LZ4 decompress") \
	X(18, TS_ULZ4F_END, 0, "finished LZ4 decompress (ignore for x86)", NULL) \
	X(19, TS_UZSTDF_START, 20, "starting ZSTD decompress (ignore for x86)", "ZSTD decompress") \
	X(20, TS_UZSTDF_END, 0, "finished ZSTD decompress (ignore for x86)", NULL) \
	X(30, TS_DEVICE_INIT_CHIPS, 31, "early chipset initialization", "early chipset initialization") \
	X(31, TS_DEVICE_ENUMERATE, 40, "device enumeration", "device enumeration") \
	X(40, TS_DEVICE_CONFIGURE, 50, "device configuration", "device configuration") \
	X(50, TS_DEVICE_ENABLE, 60, "device enable", "device enable") \
	X(60, TS_DEVICE_INITIALIZE, 70, "device initialization", "device initialization") \
	X(65, TS_OPROM_INITIALIZE, 67, "Option ROM initialization", "Option ROM") \
	X(66, TS_OPROM_COPY_END, 0, "Option ROM copy done", NULL) \
	X(67, TS_OPROM_END, 0, "Option ROM run done", NULL) \
	X(70, TS_DEVICE_DONE, 0, "device setup done", NULL) \
	X(75, TS_CBMEM_POST, 0, "cbmem post", NULL) \
	X(80, TS_WRITE_TABLES, 0, "write tables", NULL) \
	X(85, TS_FINALIZE_CHIPS, 0, "finalize chips", NULL) \
	X(90, TS_LOAD_PAYLOAD, 0, "starting to load payload", NULL) \
	X(98, TS_ACPI_WAKE_JUMP, 0, "ACPI wake jump", NULL) \
	X(99, TS_SELFBOOT_JUMP, 0, "selfboot jump", NULL) \
	X(100, TS_POSTCAR_START, 101, "start of postcar", "postcar") \
	X(101, TS_POSTCAR_END, 0, "end of postcar", NULL) \
	X(110, TS_DELAY_START, 111, "Forced delay start", "forced delay") \
	X(111, TS_DELAY_END, 0, "Forced delay end", NULL) \
	X(112, TS_READ_UCODE_START, 113, "started reading uCode", "read microcode") \
	X(113, TS_READ_UCODE_END, 0, "finished reading uCode", NULL) \
	X(114, TS_ELOG_INIT_START, 115, "started elog init", "elog init") \
	X(115, TS_ELOG_INIT_END, 0, "finished elog init", NULL) \
	X(501, TS_COPYVER_START, 501, "starting to load verstage", "load verstage") \
	X(502, TS_COPYVER_END, 0, "finished loading verstage", NULL) \
	X(503, TS_TPMINIT_START, 504, "starting to initialize TPM", "TPM initialization") \
	X(504, TS_TPMINIT_END, 0, "finished TPM initialization", NULL) \
	X(505, TS_VERIFY_SLOT_START, 506, "starting to verify keyblock/preamble (RSA)", "verify keyblock") \
	X(506, TS_VERIFY_SLOT_END, 0, "finished verifying keyblock/preamble (RSA)", NULL) \
	X(507, TS_HASH_BODY_START, 510, "starting to verify body (load+SHA2+RSA) ", "verify body") \
	X(508, TS_LOADING_END, 0, "finished loading body", NULL) \
	X(509, TS_HASHING_END, 0, "finished calculating body hash (SHA2)", NULL) \
	X(510, TS_HASH_BODY_END, 0, "finished verifying body signature (RSA)", NULL) \
	X(511, TS_TPMPCR_START, 512, "starting TPM PCR extend", "TPM PCR extend") \
	X(512, TS_TPMPCR_END, 0, "finished TPM PCR extend", NULL) \
	X(513, TS_TPMLOCK_START, 514, "starting locking TPM", "TPM lock") \
	X(514, TS_TPMLOCK_END, 0, "finished locking TPM", NULL) \
	X(515, TS_EC_SYNC_START, 518, "starting EC software sync", "EC software sync") \
	X(516, TS_EC_HASH_READY, 0, "EC vboot hash ready", NULL) \
	X(517, TS_EC_POWER_LIMIT_WAIT, 0, "waiting for EC to allow higher power draw", NULL) \
	X(518, TS_EC_SYNC_END, 0, "finished EC software sync", NULL) \
	X(550, TS_COPYVPD_START, 552, "starting to load ChromeOS VPD", "load VPD") \
	X(551, TS_COPYVPD_RO_END, 552, "finished loading ChromeOS VPD (RO)", "load VPD (RW)") \
	X(552, TS_COPYVPD_RW_END, 0, "finished loading ChromeOS VPD (RW)", NULL) \
	X(553, TS_TPM_ENABLE_UPDATE_START, 554, "started TPM enable update", "TPM enable update") \
	X(554, TS_TPM_ENABLE_UPDATE_END, 0, "finished TPM enable update", NULL) \
	X(555, TS_ESOL_START, 0, "started early sign-off life (eSOL) notification", NULL) \
	X(556, TS_ESOL_END, 0, "finished early sign-off life (eSOL) notification", NULL) \
	X(557, TS_FIRMWARE_SPLASH_RENDERED, 0, "finished rendering splash screen", NULL) \
	X(900, TS_AGESA_INIT_RESET_START, 901, "calling AmdInitReset", "AmdInitReset") \
	X(901, TS_AGESA_INIT_RESET_END, 0, "back from AmdInitReset", NULL) \
	X(902, TS_AGESA_INIT_EARLY_START, 903, "calling AmdInitEarly", "AmdInitEarly") \
	X(903, TS_AGESA_INIT_EARLY_END, 0, "back from AmdInitEarly", NULL) \
	X(904, TS_AGESA_INIT_POST_START, 905, "calling AmdInitPost", "AmdInitPost") \
	X(905, TS_AGESA_INIT_POST_END, 0, "back from AmdInitPost", NULL) \
	X(906, TS_AGESA_INIT_ENV_START, 907, "calling AmdInitEnv", "AmdInitEnv") \
	X(907, TS_AGESA_INIT_ENV_END, 0, "back from AmdInitEnv", NULL) \
	X(908, TS_AGESA_INIT_MID_START, 909, "calling AmdInitMid", "AmdInitMid") \
	X(909, TS_AGESA_INIT_MID_END, 0, "back from AmdInitMid", NULL) \
	X(910, TS_AGESA_INIT_LATE_START, 911, "calling AmdInitLate", "AmdInitLate") \
	X(911, TS_AGESA_INIT_LATE_END, 0, "back from AmdInitLate", NULL) \
	X(912, TS_AGESA_INIT_RTB_START, 913, "calling AmdInitRtb/AmdS3Save", "AmdInitRtb/AmdS3Save") \
	X(913, TS_AGESA_INIT_RTB_END, 0, "back from AmdInitRtb/AmdS3Save", NULL) \
	X(914, TS_AGESA_INIT_RESUME_START, 915, "calling AmdInitResume", "AmdInitResume") \
	X(915, TS_AGESA_INIT_RESUME_END, 0, "back from AmdInitResume", NULL) \
	X(916, TS_AGESA_S3_LATE_START, 917, "calling AmdS3LateRestore", "AmdS3LateRestore") \
	X(917, TS_AGESA_S3_LATE_END, 0, "back from AmdS3LateRestore", NULL) \
	X(918, TS_AGESA_S3_FINAL_START, 919, "calling AmdS3FinalRestore", "AmdS3FinalRestore") \
	X(919, TS_AGESA_S3_FINAL_END, 0, "back from AmdS3FinalRestore", NULL) \
	X(920, TS_AMD_APOB_READ_START, 923, "starting APOB read", "APOB read") \
	X(921, TS_AMD_APOB_ERASE_START, 922, "starting APOB erase", "APOB erase") \
	X(922, TS_AMD_APOB_WRITE_START, 923, "starting APOB write", "APOB write") \
	X(923, TS_AMD_APOB_END, 0, "finished APOB", NULL) \
	X(940, TS_ME_INFORM_DRAM_START, 941, "waiting for ME acknowledgment of raminit", "ME acknowledges raminit") \
	X(941, TS_ME_INFORM_DRAM_END, 0, "finished waiting for ME response", NULL) \
	X(942, TS_ME_END_OF_POST_START, 943, "before sending EOP to ME", "End of POST to ME") \
	X(943, TS_ME_END_OF_POST_END, 0, "after sending EOP to ME", NULL) \
	X(944, TS_ME_BOOT_STALL_END, 0, "CSE sent 'Boot Stall Done' to PMC", NULL) \
	X(945, TS_ME_ICC_CONFIG_START, 0, "CSE started to handle ICC configuration", NULL) \
	X(946, TS_ME_HOST_BOOT_PREP_END, 0, "CSE sent 'Host BIOS Prep Done' to PMC", NULL) \
	X(947, TS_ME_RECEIVED_CRDA_FROM_PMC, 0, "CSE received 'CPU Reset Done Ack sent' from PMC", NULL) \
	X(948, TS_CSE_FW_SYNC_START, 949, "starting CSE firmware sync", "CSE firmware sync") \
	X(949, TS_CSE_FW_SYNC_END, 0, "finished CSE firmware sync", NULL) \
	X(950, TS_FSP_MEMORY_INIT_START, 951, "calling FspMemoryInit", "FspMemoryInit") \
	X(951, TS_FSP_MEMORY_INIT_END, 0, "returning from FspMemoryInit", NULL) \
	X(952, TS_FSP_TEMP_RAM_EXIT_START, 953, "calling FspTempRamExit", "FspTempRamExit") \
	X(953, TS_FSP_TEMP_RAM_EXIT_END, 0, "returning from FspTempRamExit", NULL) \
	X(954, TS_FSP_SILICON_INIT_START, 955, "calling FspSiliconInit", "FspSiliconInit") \
	X(955, TS_FSP_SILICON_INIT_END, 0, "returning from FspSiliconInit", NULL) \
	X(962, TS_FSP_MULTI_PHASE_SI_INIT_START, 963, "calling FspMultiPhaseSiInit", "FspMultiPhaseSiInit") \
	X(963, TS_FSP_MULTI_PHASE_SI_INIT_END, 0, "returning from FspMultiPhaseSiInit", NULL) \
	X(964, TS_FSP_MULTI_PHASE_MEM_INIT_START, 965, "calling FspMultiPhaseMemInit", "FspMultiPhaseMemInit") \
	X(965, TS_FSP_MULTI_PHASE_MEM_INIT_END, 0, "returning from FspMultiPhaseMemInit", NULL) \
	X(956, TS_FSP_ENUMERATE_START, 957, "calling FspNotify(AfterPciEnumeration)", "FspNotify(AfterPciEnumeration)") \
	X(957, TS_FSP_ENUMERATE_END, 0, "returning from FspNotify(AfterPciEnumeration)", NULL) \
	X(958, TS_FSP_FINALIZE_START, 959, "calling FspNotify(ReadyToBoot)", "FspNotify(ReadyToBoot)") \
	X(959, TS_FSP_FINALIZE_END, 0, "returning from FspNotify(ReadyToBoot)", NULL) \
	X(960, TS_FSP_END_OF_FIRMWARE_START, 961, "calling FspNotify(EndOfFirmware)", "FspNotify(EndOfFirmware)") \
	X(961, TS_FSP_END_OF_FIRMWARE_END, 0, "returning from FspNotify(EndOfFirmware)", NULL) \
	X(970, TS_FSP_MEMORY_INIT_LOAD, 0, "loading FSP-M", NULL) \
	X(971, TS_FSP_SILICON_INIT_LOAD, 0, "loading FSP-S", NULL) \
	X(980, TS_QUALCOMM_QCLIB_INIT_START, 0, "Entering into QcLib", NULL) \
	X(981, TS_QUALCOMM_QCLIB_INIT_END, 0, "returning from QcLib", NULL) \
	X(982, TS_QUALCOMM_QCLIB_REINIT_START, 0, "Reentering from QcLib", NULL) \
	X(983, TS_QUALCOMM_QCLIB_REINIT_END, 0, "QcLib execution completed", NULL) \
	X(990, TS_ME_ROM_START, 0, "CSME ROM started execution", NULL) \
	X(991, TS_DMU_LOAD_END, 0, "Die Management Unit (DMU) load completed", NULL) \
	X(992, TS_AUNIT_LOAD_END, 0, "AUnit load completed", NULL) \
	X(998, TS_TFA_LOAD_BL32_START, 0, "BL32(secure_os) loading start", NULL) \
	X(999, TS_TFA_LOAD_BL32_END, 0, "BL32(secure_os) loading end", NULL) \
	X(1000, TS_DC_START, 0, "depthcharge start", NULL) \
	X(1001, TS_RO_PARAMS_INIT, 0, "RO parameter init", NULL) \
	X(1002, TS_RO_VB_INIT, 0, "RO vboot init", NULL) \
	X(1003, TS_RO_VB_SELECT_FIRMWARE, 0, "RO vboot select firmware", NULL) \
	X(1004, TS_RO_VB_SELECT_AND_LOAD_KERNEL, 0, "RO vboot select&load kernel", NULL) \
	X(1010, TS_RW_VB_SELECT_AND_LOAD_KERNEL, 0, "RW vboot select&load kernel", NULL) \
	X(1020, TS_VB_SELECT_AND_LOAD_KERNEL, 0, "vboot select&load kernel", NULL) \
	X(1030, TS_VB_EC_VBOOT_DONE, 0, "finished EC verification", NULL) \
	X(1040, TS_VB_STORAGE_INIT_DONE, 0, "finished storage device initialization", NULL) \
	X(1050, TS_VB_READ_KERNEL_DONE, 0, "finished reading kernel from disk", NULL) \
	X(1060, TS_VB_AUXFW_SYNC_DONE, 0, "finished AuxFW Sync", NULL) \
	X(1100, TS_VB_VBOOT_DONE, 0, "finished vboot kernel verification", NULL) \
	X(1101, TS_KERNEL_START, 0, "jumping to kernel", NULL) \
	X(1102, TS_KERNEL_DECOMPRESSION, 0, "starting kernel decompression/relocation", NULL) \
	X(1110, TS_PVMFW_SETUP_START, 0, "started pvmfw setup", NULL) \
	X(1111, TS_PVMFW_GSC_NVRAM_DONE, 0, "finished fetching boot params from GSC", NULL) \
	X(1112, TS_PVMFW_SETUP_DONE, 0, "finished pvmfw setup", NULL) \
	X(1120, TS_PKVM_DRNG_SEED_START, 0, "started generating pKVM DRNG seed", NULL) \
	X(1121, TS_PKVM_DRNG_SEED_DONE, 0, "finished generating pKVM DRNG seed", NULL) \
	X(1200, TS_CRHV_BOOT, 0, "hypervisor boot finished", NULL) \
	X(1201, TS_CRHV_PLATFORM_INIT, 0, "hypervisor platform initialized", NULL) \
	X(1202, TS_CRHV_SERVICES_STARTED, 0, "hypervisor services started", NULL) \
	X(1203, TS_CRHV_HW_PASSTHROUGH_START, 1204, "hypervisor hardware passthrough setup start", "hypervisor hardware passthrough") \
	X(1204, TS_CRHV_HW_PASSTHROUGH_END, 0, "hypervisor hardware passthrough setup complete", NULL) \
	X(1205, TS_CRHV_PSTORE_START, 1206, "hypervisor pstore init start", "hypervisor pstore") \
	X(1206, TS_CRHV_PSTORE_END, 0, "hypervisor pstore init complete", NULL) \
	X(1207, TS_CRHV_VMM_START, 0, "hypervisor OS VMM start", NULL)
/* clang-format on */

#define TIMESTAMP_ID_ENUM(id, name, end, label, range) name = (id),
enum timestamp_id { TIMESTAMP_IDS(TIMESTAMP_ID_ENUM) };
#undef TIMESTAMP_ID_ENUM

#endif
