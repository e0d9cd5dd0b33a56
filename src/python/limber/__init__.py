# SPDX-License-Identifier: MIT
"""Inverse kinematics of articulated figures.

    import limber
    ik = limber.Ik(limber.readFigure("arm"))
    tool = ik.add(limber.position("tool", [0.4, 0.6, 0.1]))
    answer = ik.solve()          # answer.pose, answer.isReached, answer.error
    tool.target = [0.3, 0.7, 0]
    answer = ik.solve()          # warm: starts at the last pose

Points and lengths are in the axes and the unit of the figure's file, or with axes="scene" in metres with y up. Coordinates
of poses are radians and metres; quaternions are (x, y, z, w). Names are those of the figure's sites and links. The terms are those of the C++ library; see docs/python.md.
"""
import base64 as _base64
import html as _html
import os as _os
import pathlib as _pathlib

_OWN = _pathlib.Path(__file__).with_name("share")  # in a wheel: the files that Limber reads at run time
if _OWN.is_dir():
    _os.environ.setdefault("LIMBER_RESOURCES", str(_OWN))

from . import _limber  # noqa: E402
from ._limber import *  # noqa: E402,F401,F403
from ._limber import Figure, Ik, encodePng, __version__  # noqa: E402,F401

_VIEW = _pathlib.Path(__file__).with_name("view.html")


def _page(glb, height):
    """An HTML frame with a view of the GLB, which the mouse turns. It loads nothing from the network."""
    page = _VIEW.read_text(encoding="utf-8").replace("@GLB@", _base64.b64encode(glb).decode("ascii"))
    return (f'<iframe srcdoc="{_html.escape(page)}" sandbox="allow-scripts" '
            f'style="width: 100%; height: {int(height)}px; border: 0"></iframe>')


def _ik_page(self, height=400):
    """The posed figure as HTML, in a view that the mouse turns."""
    return _page(self.figure.glb(self.pose), height)


def _figure_page(self, height=400):
    """The figure as HTML, in a view that the mouse turns."""
    return _page(self.glb(), height)


# setattr(), since type checkers refuse assignments to methods that the stub declares.
for _shown, _view in [(Ik, _ik_page), (Figure, _figure_page)]:
    setattr(_shown, "view", _view)
    setattr(_shown, "_repr_png_", lambda self: encodePng(self.render()))
    setattr(_shown, "_repr_html_", lambda self: self.view())


def __dir__():
    return [name for name in globals() if not name.startswith("_")] + ["__doc__", "__version__"]
