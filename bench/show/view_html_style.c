#include "show/view_html.h"

/* Printing always uses the light colours. */
#define LIGHT                                                                                                          \
  "--xb-line: #d4d4d8; --xb-soft: #71717a; --xb-key: #0550ae; --xb-comment: #286a33; --xb-part: #1a4d24;\n"            \
  "  --xb-x: #f6d5f0; --xb-row: #faf1fa; --xb-note: #fff6d6; --xb-notex: #fbe08a; --xb-add: #e2f5e5;\n"                \
  "  --xb-cut: #fde6e4;"
#define DARK                                                                                                           \
  "--xb-line: #3f3f46; --xb-soft: #a1a1aa; --xb-key: #79b8ff; --xb-comment: #8ccf97; --xb-part: #b7e6bf;\n"            \
  "  --xb-x: #5c2a56; --xb-row: #271d2a; --xb-note: #2e2a17; --xb-notex: #5a4a10; --xb-add: #16321d;\n"                \
  "  --xb-cut: #3d1c1c;"

const char *xb_html_style(void)
{
  return ".xb-pair { " LIGHT " }\n"
         "@media (prefers-color-scheme: dark) { .xb-pair { " DARK " } }\n"
         "@media print { .xb-pair { " LIGHT " } }\n"
         ".xb-pair h2 { font-size: 1.25rem; margin: 0 0 .5rem; overflow-wrap: anywhere; }\n"
         ".xb-pair h3 { font-size: 1rem; margin: 1.25rem 0 .4rem; overflow-wrap: anywhere; }\n"
         ".xb-pair p { margin: 0 0 .5rem; max-width: 60rem; }\n"
         ".xb-pair .xb-legend { color: var(--xb-soft); }\n"
         ".xb-sides { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); column-gap: 1rem; }\n"
         ".xb-three { grid-template-columns: repeat(3, minmax(0, 1fr)); }\n"
         ".xb-side { display: grid; grid-template-columns: minmax(0, 1fr); }\n"
         ".xb-sides > div, .xb-side > div { min-width: 0; font: .78rem/1.5 ui-monospace, 'DejaVu Sans Mono', "
         "monospace;\n"
         "  font-variant-ligatures: none; }\n"
         ".xb-line { display: grid; grid-template-columns: 3.2rem minmax(0, 1fr); overflow: clip; }\n"
         ".xb-pair code { font: inherit; }\n"
         ".xb-line code { white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 2; padding-left: 2ch; text-indent: "
         "-2ch; }\n"
         ".xb-n { color: var(--xb-soft); text-align: right; padding-right: .8ch; white-space: pre; user-select: none; "
         "}\n"
         ".xb-side > .xb-title, .xb-sides > .xb-title { display: none; font-weight: 600; overflow-wrap: anywhere;\n"
         "  border-bottom: 1px solid var(--xb-line); margin-bottom: .3rem; }\n"
         ".xb-first > .xb-title { display: block !important; }\n"
         ".xb-side > .xb-caption, .xb-sides > .xb-caption { color: var(--xb-soft); padding-left: 3.2rem;\n"
         "  min-height: 1.5em; overflow-wrap: anywhere; }\n"
         ".xb-differs { background: var(--xb-row); }\n"
         ".xb-note { background: var(--xb-note); }\n"
         ".xb-added { background: var(--xb-add); }\n"
         ".xb-removed { background: var(--xb-cut); }\n"
         ".xb-k { color: var(--xb-key); }\n"
         ".xb-c { color: var(--xb-comment); }\n"
         ".xb-p { color: var(--xb-part); font-weight: 700; }\n"
         ".xb-x { background: var(--xb-x); border-radius: 2px; }\n"
         ".xb-c.xb-x { background: var(--xb-notex); }\n"
         ".xb-pair table { border-collapse: collapse; max-width: 100%; }\n"
         ".xb-pair td { padding: .1rem 1.2rem .1rem 0; vertical-align: top; overflow-wrap: anywhere; white-space: "
         "normal;\n"
         "  border-bottom: 1px solid var(--xb-line); font: .78rem/1.5 ui-monospace, 'DejaVu Sans Mono', monospace; }\n"
         "@media screen and (max-width: 899px) {\n"
         "  .xb-sides { grid-template-columns: minmax(0, 1fr); }\n"
         "  .xb-sides > .xb-l { order: 1; }\n"
         "  .xb-sides > .xb-r { order: 2; }\n"
         "  .xb-sides > .xb-t { order: 3; }\n"
         "  .xb-sides > .xb-none { display: none; }\n"
         "  .xb-sides > .xb-title { display: block; margin-top: .6rem; }\n"
         "}\n"
         "@media print {\n"
         "  .xb-sides > div, .xb-side > div { font-size: 6.5pt; break-inside: avoid; }\n"
         "  .xb-line { grid-template-columns: 2.2rem minmax(0, 1fr); }\n"
         "  .xb-line, .xb-x { print-color-adjust: exact; -webkit-print-color-adjust: exact; }\n"
         "}\n";
}
