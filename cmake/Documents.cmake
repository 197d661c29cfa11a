# SPDX-License-Identifier: Apache-2.0 OR MIT
# Makes a program write its manual pages and completions into DIRECTORY/man1, bash, zsh and fish. SECTIONS/NAME.roff has
# sections that no option's help contains. They are inserted before the last section of the page NAME.1.
#   -DPROGRAM=[emulator;]program -DSECTIONS=... -DDIRECTORY=...
cmake_minimum_required(VERSION 3.22)
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
        string(REGEX REPLACE "^(\\.\\\\\"[^\n]*\n)+" "" more "${more}") # remove the licence line
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
