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

# limber_unity(TARGET): distributes the sources of a target over the units of a unity build. A name that is added later
# may need a new run of CMake.
function(limber_unity target)
  if(NOT CMAKE_UNITY_BUILD OR NOT CMAKE_UNITY_BUILD_BATCH_SIZE)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  set(units 0)
  foreach(source ${sources})
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
      if(size_${unit} LESS CMAKE_UNITY_BUILD_BATCH_SIZE AND count EQUAL count_unique)
        break()
      endif()
      math(EXPR unit "${unit} + 1")
    endwhile()
    if(unit EQUAL units)
      math(EXPR units "${units} + 1")
      set(size_${unit} 0)
    endif()
    list(APPEND names_${unit} ${names})
    math(EXPR size_${unit} "${size_${unit}} + 1")
    set_property(SOURCE "${source}" PROPERTY UNITY_GROUP "${unit}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
endfunction()
