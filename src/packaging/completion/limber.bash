# SPDX-License-Identifier: MIT
# Made by: limber reference bash

_limber() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words= isChoice=
  compopt -o filenames 2> /dev/null
  case ${COMP_WORDS[1]} in
    info)
      words="-h --help --base --bvh-positions --motion --quiet"
      case $before in
        --base) words="free fixed"; isChoice=1 ;;
        --bvh-positions) words="replace add"; isChoice=1 ;;
      esac ;;
    formats)
      words="-h --help --quiet"
      case $before in
      esac ;;
    certify)
      words="-h --help --base --bvh-positions --motion --pose --frame --splits --quiet"
      case $before in
        --base) words="free fixed"; isChoice=1 ;;
        --bvh-positions) words="replace add"; isChoice=1 ;;
      esac ;;
    fk)
      words="-h --help --base --bvh-positions --motion --pose --frame --quiet"
      case $before in
        --base) words="free fixed"; isChoice=1 ;;
        --bvh-positions) words="replace add"; isChoice=1 ;;
      esac ;;
    bake)
      words="-h --help --base --bvh-positions --motion --out --fps --from --to --keys --quiet"
      case $before in
        --base) words="free fixed"; isChoice=1 ;;
        --bvh-positions) words="replace add"; isChoice=1 ;;
      esac ;;
    convert)
      words="-h --help --base --bvh-positions --motion --pose --frame --quiet"
      case $before in
        --base) words="free fixed"; isChoice=1 ;;
        --bvh-positions) words="replace add"; isChoice=1 ;;
      esac ;;
    fit)
      words="-h --help --base --bvh-positions --motion --map --scale --points --up --damping --view --camera --size --field-of-view --noise --fps --out --costs --quiet"
      case $before in
        --base) words="free fixed"; isChoice=1 ;;
        --bvh-positions) words="replace add"; isChoice=1 ;;
        --points) words="all ends"; isChoice=1 ;;
        --up) words="x y z"; isChoice=1 ;;
      esac ;;
    solve)
      words="-h --help --base --bvh-positions --motion --solver --out --derivatives --path-independent --posing --body-follows --batch --require-reached --figure --threads --precision --polish --restarts --quiet"
      case $before in
        --base) words="free fixed"; isChoice=1 ;;
        --bvh-positions) words="replace add"; isChoice=1 ;;
        --posing) words="natural still even"; isChoice=1 ;;
        --precision) words="single double"; isChoice=1 ;;
      esac ;;
    serve)
      words="-h --help --base --bvh-positions --socket --figures --memory --quiet"
      case $before in
        --base) words="free fixed"; isChoice=1 ;;
        --bvh-positions) words="replace add"; isChoice=1 ;;
      esac ;;
    race)
      words="-h --help --base --bvh-positions --motion --solvers --csv --json --quiet"
      case $before in
        --base) words="free fixed"; isChoice=1 ;;
        --bvh-positions) words="replace add"; isChoice=1 ;;
      esac ;;
    check)
      words="-h --help --base --bvh-positions --motion --quiet"
      case $before in
        --base) words="free fixed"; isChoice=1 ;;
        --bvh-positions) words="replace add"; isChoice=1 ;;
      esac ;;
    render)
      words="-h --help --base --bvh-positions --motion -o --out --transparent --style --view --orthographic --light --frames --from --size --quiet"
      case $before in
        --base) words="free fixed"; isChoice=1 ;;
        --bvh-positions) words="replace add"; isChoice=1 ;;
        --style) words="skin in-skin capsules boxes bones"; isChoice=1 ;;
      esac ;;
    replay)
      words="-h --help --out --json --quiet"
      case $before in
      esac ;;
    workspace)
      words="-h --help --base --bvh-positions --motion --link --site --cells --starts --out --picture --json --pose --frame --quiet"
      case $before in
        --base) words="free fixed"; isChoice=1 ;;
        --bvh-positions) words="replace add"; isChoice=1 ;;
      esac ;;
    *)
      words="info formats certify fk bake convert fit solve serve race check render replay workspace -h --help --version --scale --measure --record --quiet --base --bvh-positions" ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  if [[ ! $isChoice && $word != -* ]]; then
    if ((COMP_CWORD > 1)); then COMPREPLY=(); fi
    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word")
  fi
}
complete -F _limber limber
