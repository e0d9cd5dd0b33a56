# SPDX-License-Identifier: MIT
# A unity build compiles several sources as one, and so joins their unnamed namespaces. Sources with helpers of the same
# name therefore go into different units, so that names need to be unique in a source only.

# Names that the first unnamed namespace of a source declares: functions, types and constants.
function(limber_helper_names source out)
  file(READ "${source}" text)
  string(FIND "${text}" "\nnamespace {\n" begin)
  string(FIND "${text}" "\n}  // namespace\n" end)
  set(names)
  if(begin GREATER_EQUAL 0 AND end GREATER begin)
    math(EXPR length "${end} - ${begin}")
    string(SUBSTRING "${text}" ${begin} ${length} text)
    string(REPLACE ";" " ; " text "${text}")
    foreach(declaration
        "\n[A-Za-z][A-Za-z0-9_:<>,&* ]*[ *&]([A-Za-z0-9_]+)\\("
        "\n(struct|class|enum|enum class) [A-Za-z0-9_]+"
        "\nusing [A-Za-z0-9_]+ ="
        "[ ,]k[A-Z][A-Za-z0-9]* ="
        "constexpr [A-Za-z0-9_:<>,* ]+ k[A-Z][A-Za-z0-9]*")
      string(REGEX MATCHALL "${declaration}" found "${text}")
      list(TRANSFORM found REPLACE "( =|\\()$" "")
      list(TRANSFORM found REPLACE "^.*[ *&\n]" "")
      list(APPEND names ${found})
    endforeach()
    list(REMOVE_DUPLICATES names)
  endif()
  set(${out} "${names}" PARENT_SCOPE)
endfunction()

# limber_units(OUT MOST source...): distributes sources over units of at most MOST. OUT_count is the number of units, and
# OUT_0, OUT_1, ... are their sources.
function(limber_units out most)
  set(units 0)
  foreach(source ${ARGN})
    get_filename_component(path "${source}" ABSOLUTE)
    limber_helper_names("${path}" names)
    set(unit 0)
    while(unit LESS units)
      set(clashes ${names})
      if(names AND names_${unit})
        list(REMOVE_ITEM clashes ${names_${unit}})
      endif()
      list(LENGTH names count)
      list(LENGTH clashes count_unique)
      list(LENGTH sources_${unit} size)
      if(size LESS most AND count EQUAL count_unique)
        break()
      endif()
      math(EXPR unit "${unit} + 1")
    endwhile()
    if(unit EQUAL units)
      math(EXPR units "${units} + 1")
    endif()
    list(APPEND names_${unit} ${names})
    list(APPEND sources_${unit} "${source}")
    set(${out}_${unit} "${sources_${unit}}" PARENT_SCOPE)
  endforeach()
  set(${out}_count ${units} PARENT_SCOPE)
endfunction()

# limber_unity(TARGET): distributes the sources of a target over the units of a unity build. A name that is added later
# may need a new run of CMake.
function(limber_unity target)
  if(NOT CMAKE_UNITY_BUILD OR NOT CMAKE_UNITY_BUILD_BATCH_SIZE)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  limber_units(unit ${CMAKE_UNITY_BUILD_BATCH_SIZE} ${sources})
  math(EXPR last "${unit_count} - 1")
  foreach(i RANGE ${last})
    set_property(SOURCE ${unit_${i}} PROPERTY UNITY_GROUP "${i}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
endfunction()
