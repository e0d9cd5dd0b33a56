# SPDX-License-Identifier: MIT
# Links the program as a page: limber.js, limber.wasm, and limber.data with the files that it reads. scripts/web.
set(web "${PROJECT_SOURCE_DIR}/src/web")
target_link_options(limber PRIVATE -O2 -sENVIRONMENT=web -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2
  -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=134217728 -sFORCE_FILESYSTEM=1 -lidbfs.js
  -sEXPORTED_FUNCTIONS=_main,_malloc,_free,_limber_chosen,_limber_ask
  -sEXPORTED_RUNTIME_METHODS=FS,addRunDependency,removeRunDependency,allocateUTF8,UTF8ToString
  "SHELL:--js-library ${web}/glfw.js" "SHELL:--preload-file ${LIMBER_SHARE}@/share/limber")
set_target_properties(limber PROPERTIES LINK_DEPENDS "${web}/glfw.js;${share_stamp}")
add_dependencies(limber limber_share)
