// status-pages/page/page-style.ts: how a page looks: in light and dark, from 320 px up, and on paper. One style for all pages,
// so its digest is the only style that a browser accepts.
import { createHash } from 'node:crypto'

export const pageStyle = `
:root{color-scheme:light dark;--bg:light-dark(#f6f7f9,#0e1116);--surface:light-dark(#fff,#161b22);--line:light-dark(#dfe3ea,#262d38);--ink:light-dark(#12161c,#e8ecf2);--ink-2:light-dark(#4a5362,#a9b3c1);--operational:light-dark(#17724a,#3fce8b);--under_maintenance:light-dark(#2f5bea,#7aa2ff);--no_data:light-dark(#57618a,#9aa6d0);--degraded_performance:light-dark(#8a5600,#f2b84b);--partial_outage:light-dark(#b9301a,#ff8a6b);--major_outage:light-dark(#a3123a,#ff5c8a)}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.5 Inter,ui-sans-serif,system-ui,sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
.page{max-width:880px;margin:0 auto;padding:32px 20px 48px}
h1,h2,h3,p,ul,dl{margin:0;padding:0}
ul{list-style:none}
.name{font-size:22px;font-weight:650;letter-spacing:-.015em;margin-bottom:20px}
.logo{height:36px;max-width:200px;object-fit:contain;vertical-align:middle;margin-inline-end:12px}
.card{background:var(--surface);border:1px solid var(--line);border-radius:12px}
.verdict{display:flex;gap:14px;align-items:center;padding:20px 22px;border-color:var(--now);background:light-dark(color-mix(in srgb,var(--now) 8%,#fff),color-mix(in srgb,var(--now) 14%,#161b22))}
.verdict svg{flex:none;width:28px;height:28px;color:var(--now)}
.verdict h1{font-size:21px;line-height:1.3;font-weight:620;letter-spacing:-.01em}
.stale{margin-top:14px;padding:12px 22px;border-color:var(--degraded_performance)}
section{margin-top:32px}
h2{font-size:15px;font-weight:600;color:var(--ink-2);margin-bottom:10px}
.rows>li{padding:18px 22px}
.rows>li+li{border-top:1px solid var(--line)}
.top{display:flex;flex-wrap:wrap;gap:2px 16px;justify-content:space-between;align-items:baseline}
h3{font-size:16px;font-weight:560}
.state{display:inline-flex;gap:7px;align-items:center;font-size:14.5px;font-weight:560;color:var(--now)}
.state svg{width:15px;height:15px;flex:none}
.note,.scale,footer{color:var(--ink-2);font-size:14px}
.bars,.scale{direction:ltr}
.bars{display:block;width:100%;height:32px;margin-top:12px}
.bars .full,.bars .near{fill:var(--operational)}.bars .slight{fill:light-dark(#b87a00,#f2b84b)}.bars .partial{fill:var(--partial_outage)}.bars .bad{fill:var(--major_outage)}.bars .none{fill:light-dark(#aab2c0,#5a6474)}
.scale{display:flex;justify-content:space-between;gap:10px;margin-top:5px}
.scale span:nth-child(2){color:var(--ink)}
ol{list-style:none;margin:0;padding:0}
.incident{margin-top:18px;padding:18px 22px;border-color:var(--now);border-left-width:5px}.incident h2{font-size:18px;color:var(--ink);margin-bottom:2px}
.updates>li{margin-top:14px;padding-top:14px;border-top:1px solid var(--line)}
.note strong{color:var(--ink)}
h1{font-size:21px;line-height:1.3;font-weight:620;margin-bottom:14px}.verdict h1{margin:0}.others{margin-top:14px;display:flex;flex-wrap:wrap;gap:6px 20px;font-size:15px}
.prose>*{margin-top:6px}.prose.card{padding:12px 22px 18px}.prose ul{list-style:disc;padding-left:22px}.prose ol{list-style:decimal;padding-left:22px}.prose code{font:14px/1.45 ui-monospace,monospace;background:light-dark(#eef0f4,#222a35);border-radius:4px;padding:1px 4px}.prose pre{overflow-x:auto;margin-bottom:0}.prose pre code{display:block;padding:10px 12px}
summary{cursor:pointer;color:var(--ink-2);font-size:14px}details li{margin-top:14px}
footer{margin-top:36px;border-top:1px solid var(--line);padding-top:16px;display:flex;flex-wrap:wrap;gap:6px 20px}
a{color:inherit;text-underline-offset:2px}
a:focus-visible{outline:2px solid var(--under_maintenance);outline-offset:2px;border-radius:3px}
.operational{--now:var(--operational)}.under_maintenance{--now:var(--under_maintenance)}.no_data{--now:var(--no_data)}.degraded_performance{--now:var(--degraded_performance)}.partial_outage{--now:var(--partial_outage)}.major_outage{--now:var(--major_outage)}
@media(max-width:480px){.page{padding:20px 12px 36px}.rows>li,.verdict,.stale,.incident,.prose.card{padding-left:16px;padding-right:16px}.scale{font-size:13px}}
@media print{details:not([open])>ul{display:block}:root{color-scheme:light}body{background:#fff;font-size:11pt}.page{max-width:none;padding:0}.rows>li,.incident{break-inside:avoid}.bars,.verdict{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
`

const digest = createHash('sha256').update(pageStyle).digest('base64')

/** No script, no other host, no frame, no form; the icon is in the page itself, and a logo beside it. */
export function pagePolicy(hasLogo: boolean): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${digest}'`,
    hasLogo ? "img-src 'self' data:" : 'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
