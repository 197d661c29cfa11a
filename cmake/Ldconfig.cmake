# SPDX-License-Identifier: Apache-2.0 OR MIT
# The last step of an installation, and of taking it away: programs that are linked to the libraries in LIBRARY_FOLDER find
# them. Where the system's loader looks there, its cache is made anew; where that can't be, a sentence says what to do.
# A folder that DESTDIR names is for another system, which does this for itself.
#   LIBRARY_FOLDER, an absolute path; REMOVED, true after an uninstallation
cmake_minimum_required(VERSION 3.25)
if(NOT "$ENV{DESTDIR}" STREQUAL "")
    return()
endif()
# No PATH but root's has its folder.
find_program(LDCONFIG ldconfig PATHS /sbin /usr/sbin)
find_program(ID id)
if(NOT LDCONFIG OR NOT ID)
    return() # another loader, which keeps no cache
endif()
# Only lists the folders that the loader knows: "/usr/local/lib: (from ...)"
execute_process(COMMAND ${LDCONFIG} -N -X -v OUTPUT_VARIABLE known ERROR_QUIET)
file(REAL_PATH ${LIBRARY_FOLDER} real_folder)
string(REGEX MATCHALL "[^\n\t][^:\n]*:" folders "${known}")
execute_process(COMMAND ${ID} -u OUTPUT_VARIABLE user OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT "${LIBRARY_FOLDER}:" IN_LIST folders AND NOT "${real_folder}:" IN_LIST folders)
    if(NOT REMOVED)
        message(STATUS "The system's loader does not look into ${LIBRARY_FOLDER}: link programs with -Wl,-rpath,${LIBRARY_FOLDER}, "
                       "or set LD_LIBRARY_PATH for them. sumac itself finds its library.")
    endif()
elseif(user STREQUAL "0")
    execute_process(COMMAND ${LDCONFIG} RESULT_VARIABLE failed)
    if(failed)
        message(WARNING "${LDCONFIG} failed: programs may not find the libraries in ${LIBRARY_FOLDER}.")
    endif()
elseif(NOT REMOVED)
    message(STATUS "Have root run ldconfig: programs find the libraries in ${LIBRARY_FOLDER} then.")
endif()
