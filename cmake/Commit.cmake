# SPDX-License-Identifier: Apache-2.0 OR MIT
# Writes the commit for result files, and its date for manual pages, to a header. The header is written only if they changed, so
# that nothing is recompiled needlessly. `git archive` writes both into this file (.gitattributes). If it did not, they are
# those of the checkout. Without git, or outside a checkout, the commit is "unknown", and there is no date. This needs
# -DSOURCE=.. -DHEADER=..
cmake_minimum_required(VERSION 3.22)
set(commit "unknown")
set(archived "$Format:%H %cs$")
find_program(GIT git)
if(archived MATCHES "^([0-9a-f]+) ([-0-9]+)$")
    string(SUBSTRING ${CMAKE_MATCH_1} 0 12 commit)
    set(date ${CMAKE_MATCH_2})
elseif(GIT)
    execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --dirty --exclude=* --abbrev=12
                    OUTPUT_VARIABLE described RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(failed EQUAL 0)
        set(commit "${described}")
        execute_process(COMMAND ${GIT} -C ${SOURCE} log -1 --format=%cs
                        OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    endif()
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "/* Made by cmake/Commit.cmake. */\n#define SUMAC_COMMIT \"@commit@\"\n#define SUMAC_COMMIT_DATE \"@date@\"\n" @ONLY)
