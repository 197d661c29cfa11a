# SPDX-License-Identifier: Apache-2.0 OR MIT
# Has a program print its manual pages and completions into DIRECTORY/man1, bash, zsh and fish. A page NAME.1 gets, before
# its last section, the sections of SECTIONS/NAME.roff: what no option's help says.
#   -DPROGRAM=[emulator;]program -DSECTIONS=... -DDIRECTORY=...
cmake_minimum_required(VERSION 3.25)
list(GET PROGRAM -1 path)
cmake_path(GET path FILENAME name)

function(print result)
    execute_process(COMMAND ${PROGRAM} help ${ARGN} OUTPUT_VARIABLE printed COMMAND_ERROR_IS_FATAL ANY)
    set(${result} "${printed}" PARENT_SCOPE)
endfunction()

function(write_page page)
    print(text --man ${ARGN})
    set(sections ${SECTIONS}/${page}.roff)
    if(EXISTS ${sections})
        file(READ ${sections} more)
        string(REGEX REPLACE "^(\\.\\\\\"[^\n]*\n)+" "" more "${more}") # not the licence's line
        string(REPLACE ".SH SEE ALSO\n" "${more}.SH SEE ALSO\n" text "${text}")
    endif()
    file(WRITE ${DIRECTORY}/man1/${page}.1 "${text}")
endfunction()

write_page(${name})
print(usage)
string(REGEX MATCHALL "\n  [a-z][a-z0-9]*" words "${usage}")
string(REPLACE "\n  " "" words "${words}")
list(REMOVE_DUPLICATES words)
foreach(word ${words})
    write_page(${name}-${word} ${word})
endforeach()

foreach(shell bash zsh fish)
    print(script --completion ${shell})
    set(file ${name})
    if(shell STREQUAL "zsh")
        set(file _${name})
    elseif(shell STREQUAL "fish")
        set(file ${name}.fish)
    endif()
    file(WRITE ${DIRECTORY}/${shell}/${file} "${script}")
endforeach()
