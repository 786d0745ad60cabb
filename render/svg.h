/* SPDX-License-Identifier: ISC */
/*
 * The document, and the contract between what is drawn here and the script in viewer/:
 *
 *  <svg class="fg" width height viewBox role="img" aria-label  font-family font-size ...>
 *    <title/> <desc/>                      a description: total, samples
 *    <style> flame.css </style>            dark mode and the script's controls; the
 *                                          picture is right without it
 *    <rect class="fg-bg"/>                 background
 *    <text class="fg-title"/> <text class="fg-subtitle"/>
 *    <text class="fg-info"/>               caption under the title (captions.h)
 *    <g class="fg-legend"/>                the meaning of the colours, if any
 *    <g class="fg-still"/>                 when threads ran (strip.h), of a profile with times
 *    <g class="fg-static">                 the picture for viewers without script
 *      <g stroke-width transform>          boxes as thick lines, half the bytes of rectangles;
 *        <path stroke="#.." d="Mx yhw.."/> one or more per colour. With --stroke-color they
 *      </g>                                are rectangles: <g stroke>, <path fill d>
 *      <g><a xlink:href><title/><rect/></a></g>  with --nameattr, up to 20,000
 *      <text x y>label</text>...           black, cut with one ellipsis
 *      <text class="fg-thinner"/>          how many rows are left out, if any
 *    </g>
 *    <text class="fg-details"/>            the verdict of a difference; the script adds the
 *                                          details of the frame at the pointer
 *    <script type="text/plain" class="fg-header">        svg-data.h; for folded_read
 *    <script type="application/json" class="fg-meta">    one object, below
 *    <script type="text/plain" class="fg-names">         svg-data.h; one or more
 *    <script type="text/plain" class="fg-frames">        svg-data.h; one or more
 *    <script type="text/plain" class="fg-times">         svg-data.h; none or more
 *    <script type="text/plain" class="fg-packed">        in place of these three; one or more
 *    <script type="text/plain" class="fg-marks">         of a difference; none or more
 *    <script> the files of viewer/ </script>             all that is executable
 *  </svg>
 *
 * Every script element's content is one CDATA section. Elements are found from the script's own
 * <svg>, by class, never by id or document-wide: several pictures may stand in one HTML page.
 *
 * meta: {
 *   "version":1,
 *   "columns":1|2, "scale":n,       weights are units of 10^-scale
 *   "names":n, "frames":n,          how many lines and frames the table has
 *   "total":["n",..], "sum":["n",..]   decimal strings, a column each: 100 %
 *                                      (--total or the sum) and the sum of all weights
 *   "rootself":["n",..]
 *   "samples":n,                    samples behind the weights; 0: not known
 *   "wide":0|1,                     the column that gives the widths
 *   "unit":"ns",                    of the weights: ns, us, ms, s, bytes, samples, cycles, ...
 *   "countname":"samples", "nametype":"Function:", "factor":1,
 *   "title":"..", "facts":"..",     caption under the title (captions.h)
 *   "inverted":bool, "flamechart":bool, "reverse":bool,
 *   "fold":0|3,                     which recursion the script folds at first: none or tall
 *   "fluid":bool,                   no --width was given: follow the window
 *   "width":1200, "frameheight":16, "pad":[top,right,bottom,left],
 *   "fontsize":12, "fontwidth":0.602, "measure":bool,  measure: font is ours (monospace);
 *                                      replace fontwidth by one measured "M"
 *   "minwidth":0.5,                 px, 0.5 or more; narrower boxes are not in the static layer
 *   "truncate":"middle"|"right",    where labels that do not fit are cut
 *   "colors":["#rrggbb",..],        at most 4096; indexed by the colour of a name
 *   "rootcolor":"#..","stripcolor":"#..",   of the root's box, and of runs of narrow boxes
 *   "colorby":"origin"|"module"|"name", "keys":"..", "inlined":n, "legend":["#..","words",..],
 *                                   basis of the colours; the legend entry of each, as
 *                                   digits of the table, 0 for none; the entry of tints
 *   "other":{"by":"module"|"origin", "fills":[..], "of":"..", "keys":"..", ..}
 *                                   the alternative colouring of names, as digits
 *   "attrs":[[n,{"title":"..","href":"..","target":".."}],..]
 *                                   --nameattr of the name on line n, all optional: a
 *                                   tooltip in place of the figures, a link (then Ctrl
 *                                   and click zooms) and its window
 *   "by":"comm,tid,time",           of a picture with times: the header's by=
 *   "rows":n,                       levels of the tree that are dimensions, not functions
 *   "lines":[..],                   with --source: hot-lines.h
 *   "change":{"colors":[..]},       of a picture with times: as diff's, for selections
 *   "textcolor":"#000", "uicolor":"..", "searchcolor":"..", "stroke":""|"#..",
 *   "diff":{..}                     two columns only
 * }
 *
 * meta.diff: {
 *   "colors":[17 of "#rrggbb"], "max":["n"], "self":bool, "negate":bool,
 *                                   colour 8 is no change; the index is
 *                                   8 + round(8 * d / max) with d = after - before of the
 *                                   total (or self) and the sign turned by negate; max is
 *                                   the largest |d| of any frame
 *   "ratio":["cycles","instructions"],   of a ratio, which lacks the keys below
 *   "names":["before","after"],     of the files, or empty; "norm": none, total, the name
 *   "norm":"total",                 of a frame, or empty: not known
 *   "newcolor":"#..",               of frames without weight in the first column, and in
 *   "gonecolor":"#..",              the second; negate has exchanged them
 *   "gonegrey":"#..",               of removed frames where that may be chance
 *   "gone":bool,                    whether removed frames are drawn at first, see below
 *   "vanished":["n"],               their weight before; if its sum with total[1]
 *                                   overflows 64 bits, they cannot be drawn
 *   "verdict":"..",               of fg-diff, as the header has it
 *   "t":n,                          0: nothing was tested, all changes are coloured. Else
 *                                   frames that are not marked have colour 8 (gonegrey when
 *                                   gone), and the script tests merged frames by
 *   "samples":[n0,n1],              the samples behind each column, 0: not known,
 *   "size":[n0,n1],                 the sizes of its runs (significance.h), and the functions
 *   "totals":[line,phi,..],         whose total, or
 *   "selves":[line,phi,..]          self weight changed: their names and dispersions. With
 * }                                 x[c] = w[c] * samples[c] / (sum[c] * size[c]), m the mean
 *                                   of x weighted by size, and M that of the function, a
 *                                   frame changed when |x[1] - x[0]| is at least
 *                                   t * sqrt((1 + (phi - 1) * m / M) * m *
 *                                            (1/size[0] + 1/size[1]))
 *
 * fg-marks: the frames that changed by more than chance, according to fg-diff: numbers in the
 * table's digits, each the steps from the one before (at first from 0) in preorder, in which
 * the root is 0. The coloured weight counts, total or self; for new and removed frames always
 * the total.
 *
 * Layout: y of a box at depth d (1: children of the root; the root's own box "all" is d = 0):
 * flame: the root at the bottom, icicle (inverted): at the top. Boxes are frameheight apart and
 * 1 less high. x and width are shares of the last column's total (with --total: of that). Where
 * diff.gone holds, a frame that weighs nothing after has the self weight it had before (a gap
 * with its parent), and 100 % is total[1] + vanished. Within its parent, a frame's own self
 * weight comes first, from the left edge, then its children in the table's order (as
 * flamegraph.pl draws).
 *
 * In a flame chart time runs to the right, and a frame may be itself on top again between two
 * children. The table then has a gap there: a frame whose name is number(meta.names), one past
 * the last line. It is drawn as nothing, and its self weight is its parent's.
 */
#ifndef SVG_H
#define SVG_H

#include "output.h"
#include "picture.h"

/* Writes the document; with no_data only the static picture, without style. */
void svg_write(struct output *out, const struct picture *p);

#endif
