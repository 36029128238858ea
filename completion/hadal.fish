# SPDX-License-Identifier: MIT
# fish completion for hadal.

complete -c hadal -n __fish_use_subcommand -a oa -d 'judge and show GPU counter configurations'

set -l oa '__fish_seen_subcommand_from oa'
complete -c hadal -n "$oa; and not __fish_seen_subcommand_from check show" -f -a check -d 'judge every set of metric files'
complete -c hadal -n "$oa; and not __fish_seen_subcommand_from check show" -f -a show -d 'everything about one set'
complete -c hadal -n "$oa" -l gen -x -a 'hsw bdw chv skl bxt kbl glk cfl cnl icl ehl tgl rkl dg1 adl dg2 mtl pvc lnl bmg ptl' -d 'judge as this generation'
complete -c hadal -n "$oa" -l revision -x -d 'PCI revision of the GPU'
complete -c hadal -n "$oa" -l slices -x -d 'mask of its slices'
complete -c hadal -n "$oa" -l format -x -a 'table json' -d 'format of the result'
complete -c hadal -n "$oa" -l json -d 'short for --format=json'
complete -c hadal -n "$oa" -s o -l output -r -d 'write the result there'
complete -c hadal -n "$oa" -s v -l verbose -d 'show every refusal'
complete -c hadal -n "$oa" -s q -l quiet -d 'no warnings'
complete -c hadal -n "$oa" -l color -x -a 'auto always never' -d 'colours'
complete -c hadal -n "$oa" -s h -l help -d 'a summary'
