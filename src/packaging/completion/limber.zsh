#compdef limber
# SPDX-License-Identifier: MIT
# Made by: limber reference zsh

_limber() {
  if ((CURRENT == 2)); then
    local -a verbs=(
      'info:Describe what a file holds'
      'formats:List the formats of other programs that open and that are written'
      'certify:Bound how much better than a pose any other could be, as JSON'
      'fk:Print where every link and site is, as JSON in the file'\''s axes and units'
      'bake:Solve every frame of a scene'\''s timeline, and print a report as JSON'
      'convert:Convert a file to another format'
      'fit:Fit a figure to observed points, and print a report as JSON'
      'solve:Pose a problem or scene and print the result as JSON'
      'serve:Answer problems, one per line of JSON, from standard input until it ends; figures stay open'
      'race:Pose a problem or scene with several solvers and compare them'
      'check:Compare gradient and Hessian with central differences'
      'render:Draw a file into a PNG, without a display'
      'replay:Replay a recording of the window, and compare the poses'
      'workspace:Map where an end effector can go, and write its shell as PLY'
    )
    _describe verb verbs
    _arguments \
      '-h[Print this help message and exit]' \
      '--help[Print this help message and exit]' \
      '--version[Display program version information and exit]' \
      '--scale[size of text and panels; 0 takes the display'\''s]:value:_files' \
      '--measure[turn the camera, then drag a point, for so many frames in a 1280 x 800 window; tell times and memory]:value:_files' \
      '--record[record what is done in the window into this file, for limber replay]:value:_files' \
      '--quiet[do not print the iterations of each solve]' \
      '--base[base of a robot (URDF, SDF, MJCF)\: free lets it move as a whole, fixed keeps it where the file has it; by default, a robot with legs is free]:value:(free fixed)' \
      '--bvh-positions[position channels of a BVH file replace a joint'\''s OFFSET, or add to it; by default, its motion tells]:value:(replace add)' \
      '*:file:_files'
    return
  fi
  local verb=$words[2]
  shift words
  ((CURRENT--))
  case $verb in
    info)
      _arguments \
        '-h[Print this help message and exit]' \
        '--help[Print this help message and exit]' \
        '--base[base of a robot (URDF, SDF, MJCF)\: free lets it move as a whole, fixed keeps it where the file has it; by default, a robot with legs is free]:value:(free fixed)' \
        '--bvh-positions[position channels of a BVH file replace a joint'\''s OFFSET, or add to it; by default, its motion tells]:value:(replace add)' \
        '--motion[name or number, from 1, of the motion of the file; limber info lists them; by default the first]:value:_files' \
        '--quiet[print neither notes nor progress]' \
        '*:file:_files' ;;
    formats)
      _arguments \
        '-h[Print this help message and exit]' \
        '--help[Print this help message and exit]' \
        '--quiet[print neither notes nor progress]' \
        '*:file:_files' ;;
    certify)
      _arguments \
        '-h[Print this help message and exit]' \
        '--help[Print this help message and exit]' \
        '--base[base of a robot (URDF, SDF, MJCF)\: free lets it move as a whole, fixed keeps it where the file has it; by default, a robot with legs is free]:value:(free fixed)' \
        '--bvh-positions[position channels of a BVH file replace a joint'\''s OFFSET, or add to it; by default, its motion tells]:value:(replace add)' \
        '--motion[name or number, from 1, of the motion of the file; limber info lists them; by default the first]:value:_files' \
        '--pose[name of a pose in the library, or JSON or a file of it\: joint name to number or array, or what solve prints; other joints are at rest]:value:_files' \
        '--frame[frame of the file'\''s motion, from 0]:value:_files' \
        '--splits[most splits of the limits, if one bound for all does not certify]:value:_files' \
        '--quiet[print neither notes nor progress]' \
        '*:file:_files' ;;
    fk)
      _arguments \
        '-h[Print this help message and exit]' \
        '--help[Print this help message and exit]' \
        '--base[base of a robot (URDF, SDF, MJCF)\: free lets it move as a whole, fixed keeps it where the file has it; by default, a robot with legs is free]:value:(free fixed)' \
        '--bvh-positions[position channels of a BVH file replace a joint'\''s OFFSET, or add to it; by default, its motion tells]:value:(replace add)' \
        '--motion[name or number, from 1, of the motion of the file; limber info lists them; by default the first]:value:_files' \
        '--pose[name of a pose in the library, or JSON or a file of it\: joint name to number or array, or what solve prints; other joints are at rest]:value:_files' \
        '--frame[frame of the file'\''s motion, from 0]:value:_files' \
        '--quiet[print neither notes nor progress]' \
        '*:file:_files' ;;
    bake)
      _arguments \
        '-h[Print this help message and exit]' \
        '--help[Print this help message and exit]' \
        '--base[base of a robot (URDF, SDF, MJCF)\: free lets it move as a whole, fixed keeps it where the file has it; by default, a robot with legs is free]:value:(free fixed)' \
        '--bvh-positions[position channels of a BVH file replace a joint'\''s OFFSET, or add to it; by default, its motion tells]:value:(replace add)' \
        '--motion[name or number, from 1, of the motion of the file; limber info lists them; by default the first]:value:_files' \
        '--out[file for the motion; its ending is the format, as for convert]:value:_files' \
        '--fps[frames per second, instead of the timeline'\''s]:value:_files' \
        '--from[first time, seconds]:value:_files' \
        '--to[last time, seconds]:value:_files' \
        '--keys[DEGREES\: write pose keys instead of a motion, as few as keep every frame within this]:value:_files' \
        '--quiet[print neither notes nor progress]' \
        '*:file:_files' ;;
    convert)
      _arguments \
        '-h[Print this help message and exit]' \
        '--help[Print this help message and exit]' \
        '--base[base of a robot (URDF, SDF, MJCF)\: free lets it move as a whole, fixed keeps it where the file has it; by default, a robot with legs is free]:value:(free fixed)' \
        '--bvh-positions[position channels of a BVH file replace a joint'\''s OFFSET, or add to it; by default, its motion tells]:value:(replace add)' \
        '--motion[name or number, from 1, of the file'\''s motion; or another file with motions of the same figure (joint states, a scene, .bvh, .glb ...), of which a second --motion chooses one]:value:_files' \
        '--pose[name of a pose in the library, or JSON or a file of it\: joint name to number or array, or what solve prints; other joints are at rest]:value:_files' \
        '--frame[the frame that gets the pose, from 0]:value:_files' \
        '--quiet[print neither notes nor progress]' \
        '*:file:_files' ;;
    fit)
      _arguments \
        '-h[Print this help message and exit]' \
        '--help[Print this help message and exit]' \
        '--base[base of a robot (URDF, SDF, MJCF)\: free lets it move as a whole, fixed keeps it where the file has it; by default, a robot with legs is free]:value:(free fixed)' \
        '--bvh-positions[position channels of a BVH file replace a joint'\''s OFFSET, or add to it; by default, its motion tells]:value:(replace add)' \
        '--motion[name or number, from 1, of the motion of OBSERVATIONS; limber info lists them; by default the first]:value:_files' \
        '--map[JSON\: observed name to link, site or joint, null for none; else guessed]:value:_files' \
        '--scale[auto, or length of the figure per observed length]:value:_files' \
        '--points[all, or ends\: only the ends and the root]:value:(all ends)' \
        '--up[the axis that points up in OBSERVATIONS, instead of what it says or y]:value:(x y z)' \
        '--damping[damping of poorly observed joints; 0 for none]:value:_files' \
        '--view[key points of a further camera, in the order of --camera]:value:_files' \
        '--camera[JSON\: the cameras of the pictures; else they are found]:value:_files' \
        '--size[WIDTHxHEIGHT of the pictures in pixels, where their files do not tell it]:value:_files' \
        '--field-of-view[vertical, degrees, of the cameras that are found]:value:_files' \
        '--noise[standard deviation of key points, pixels; else by the body'\''s size]:value:_files' \
        '--fps[pictures a second; else 30]:value:_files' \
        '--out[file for the motion; its ending is the format, as for convert]:value:_files' \
        '--costs[CSV file for the cost of each frame]:value:_files' \
        '--quiet[print neither notes nor progress]' \
        '*:file:_files' ;;
    solve)
      _arguments \
        '-h[Print this help message and exit]' \
        '--help[Print this help message and exit]' \
        '--base[base of a robot (URDF, SDF, MJCF)\: free lets it move as a whole, fixed keeps it where the file has it; by default, a robot with legs is free]:value:(free fixed)' \
        '--bvh-positions[position channels of a BVH file replace a joint'\''s OFFSET, or add to it; by default, its motion tells]:value:(replace add)' \
        '--motion[name or number, from 1, of the motion of the file; limber info lists them; by default the first]:value:_files' \
        '--solver[name of a solver, instead of the file'\''s]:value:_files' \
        '--out[file for the result, - for standard output; *.limber gets the posed scene]:value:_files' \
        '--derivatives[add f, gradient and hessian at the start, and x, x'\'' and x'\'''\'' of the points of position goals]' \
        '--path-independent[start at the base pose, not at the file'\''s\: the same targets always give the same pose]' \
        '--posing[instead of the file'\''s\: natural moves the limb first, still the least mass, even all alike]:value:(natural still even)' \
        '--body-follows[for natural posing, from 0 to 1\: how readily the body follows the limb]:value:_files' \
        '--batch[FILE (- for standard input) holds one problem per line, for one figure]' \
        '--require-reached[exit with 4 if a goal is not reached]' \
        '--figure[figure of the batch, instead of its first line\: anything that FILE may be]:value:_files' \
        '--threads[threads of the batch; 0\: all]:value:_files' \
        '--precision[precision of the batch'\''s search\: single or double]:value:(single double)' \
        '--polish[refine each answer of the batch to 1e-9 in double precision]' \
        '--restarts[most random starts for a problem of the batch, after the given one]:value:_files' \
        '--quiet[print neither notes nor progress]' \
        '*:file:_files' ;;
    serve)
      _arguments \
        '-h[Print this help message and exit]' \
        '--help[Print this help message and exit]' \
        '--base[base of a robot (URDF, SDF, MJCF)\: free lets it move as a whole, fixed keeps it where the file has it; by default, a robot with legs is free]:value:(free fixed)' \
        '--bvh-positions[position channels of a BVH file replace a joint'\''s OFFSET, or add to it; by default, its motion tells]:value:(replace add)' \
        '--socket[path of a Unix socket for several programs, in place of standard input and output]:value:_files' \
        '--figures[most figures that are open at once]:value:_files' \
        '--memory[MB of memory, beyond which requests are refused]:value:_files' \
        '--quiet[print neither notes nor progress]' \
        '*:file:_files' ;;
    race)
      _arguments \
        '-h[Print this help message and exit]' \
        '--help[Print this help message and exit]' \
        '--base[base of a robot (URDF, SDF, MJCF)\: free lets it move as a whole, fixed keeps it where the file has it; by default, a robot with legs is free]:value:(free fixed)' \
        '--bvh-positions[position channels of a BVH file replace a joint'\''s OFFSET, or add to it; by default, its motion tells]:value:(replace add)' \
        '--motion[name or number, from 1, of the motion of the file; limber info lists them; by default the first]:value:_files' \
        '--solvers[names of solvers, separated by commas; all by default]:value:_files' \
        '--csv[CSV file for every iterate, for a spreadsheet or plot]:value:_files' \
        '--json[print JSON instead of the table]' \
        '--quiet[print neither notes nor progress]' \
        '*:file:_files' ;;
    check)
      _arguments \
        '-h[Print this help message and exit]' \
        '--help[Print this help message and exit]' \
        '--base[base of a robot (URDF, SDF, MJCF)\: free lets it move as a whole, fixed keeps it where the file has it; by default, a robot with legs is free]:value:(free fixed)' \
        '--bvh-positions[position channels of a BVH file replace a joint'\''s OFFSET, or add to it; by default, its motion tells]:value:(replace add)' \
        '--motion[name or number, from 1, of the motion of the file; limber info lists them; by default the first]:value:_files' \
        '--quiet[print neither notes nor progress]' \
        '*:file:_files' ;;
    render)
      _arguments \
        '-h[Print this help message and exit]' \
        '--help[Print this help message and exit]' \
        '--base[base of a robot (URDF, SDF, MJCF)\: free lets it move as a whole, fixed keeps it where the file has it; by default, a robot with legs is free]:value:(free fixed)' \
        '--bvh-positions[position channels of a BVH file replace a joint'\''s OFFSET, or add to it; by default, its motion tells]:value:(replace add)' \
        '--motion[name or number, from 1, of the motion of the file; limber info lists them; by default the first]:value:_files' \
        '-o[the picture; - for standard output]:value:_files' \
        '--out[the picture; - for standard output]:value:_files' \
        '--transparent[transparent background, without ground and backdrop]' \
        '--style[the figure with its skin, inside it, or as links of this style]:value:(skin in-skin capsules boxes bones)' \
        '--view[home, front, back, right, left, top or bottom]:value:_files' \
        '--orthographic[parallel projection]' \
        '--light[light ground and backdrop]' \
        '--frames[A\:B or A\:B\:STEP, counted from 0\: a picture of each frame; -o is a folder or name_%04d.png]:value:_files' \
        '--from[AZIMUTH,ELEVATION of the eye in degrees\: 0,0 in front of the figure, 90,0 on its left]:value:_files' \
        '--size[WxH in pixels]:value:_files' \
        '--quiet[print neither notes nor progress]' \
        '*:file:_files' ;;
    replay)
      _arguments \
        '-h[Print this help message and exit]' \
        '--help[Print this help message and exit]' \
        '--out[file for the scene at the end (.limber)]:value:_files' \
        '--json[print JSON instead of a sentence]' \
        '--quiet[print neither notes nor progress]' \
        '*:file:_files' ;;
    workspace)
      _arguments \
        '-h[Print this help message and exit]' \
        '--help[Print this help message and exit]' \
        '--base[base of a robot (URDF, SDF, MJCF)\: free lets it move as a whole, fixed keeps it where the file has it; by default, a robot with legs is free]:value:(free fixed)' \
        '--bvh-positions[position channels of a BVH file replace a joint'\''s OFFSET, or add to it; by default, its motion tells]:value:(replace add)' \
        '--motion[name or number, from 1, of the motion of the file; limber info lists them; by default the first]:value:_files' \
        '--link[of the end effector; else the first site at an end of the figure]:value:_files' \
        '--site[the site that is the end effector]:value:_files' \
        '--cells[cells across the ball that lengths and pins allow]:value:_files' \
        '--starts[random poses from which each boundary cell is tried at the end]:value:_files' \
        '--out[file for the shell (.ply)]:value:_files' \
        '--picture[file for a picture of the figure in its shell (.png)]:value:_files' \
        '--json[print JSON instead of a sentence]' \
        '--pose[name of a pose in the library, or JSON or a file of it\: joint name to number or array, or what solve prints; other joints are at rest]:value:_files' \
        '--frame[frame of the file'\''s motion, from 0]:value:_files' \
        '--quiet[print neither notes nor progress]' \
        '*:file:_files' ;;
    *) _files ;;
  esac
}

_limber "$@"
