import { type Pattern, type PatternClaim, wordPattern } from './pattern.ts'
import { type Taken, type Taker, stickGroups, takeRest } from './take.ts'
import { isVerbOrParticle } from './common-words.ts'

const STANDING = { about: 'speaker', standing: true } as const
const WORDS_MAX = 14
const REASON =
  /\s{0,2}(?:,\s{0,2}(?:please|ok|okay|thanks|they|it|it['’]s|that|this|that['’]s|which|because|since|so|otherwise|we|i|but|and|by the way|weil|da)\b|\s(?:because|since|but|so that|and (?:i|we|it|they|the|now|that)|weil|in the end|after all|after a|yesterday|today|last \p{L}{3,9})(?=[\s,.]|$)|,\s(?=[^,]{1,60}\s(?:is|was|are|were|has|had|will|would|can|could|did|does)\s)|\s[-–—]\s|[:(]).{0,500}$/isu
const VAGUE =
  /^(?:to (?:dis)?agree|it|this|that|them|these|those|nothing|something|anything|one|so|the (?:first|second|third|last|other|latter|former)(?: one| option)?|option \S{1,3}|a few|on|to)$|(?:^|\s)(?:yet|whether|how|what|when|which|who)(?=\s|$)|\s(?:it|them|that|this|those)(?=\s|$)/iu

/** What was decided, without the reason. */
const takeDecision: Taker = (sentence, from) => {
  const text = takeRest(sentence, from)?.text.replace(REASON, '').trimEnd()
  if (text === undefined || text === '' || text.split(' ').length > WORDS_MAX || VAGUE.test(text)) return undefined
  return { text, end: from + text.length }
}

const decided =
  (before: string) =>
  ({ object }: { readonly object: string }): PatternClaim => ({ predicate: 'decided', object: `${before}${object}` })

const choices: readonly Pattern[] = [
  {
    ...STANDING,
    lead: wordPattern(
      String.raw`(?:we|i)(?:~ve| have)? (?:just |finally |now |all |already |also |recently ){0,2}(?:decided|agreed|opted|voted|chose|resolved)\s(?=(?:not )?to\s)`,
    ),
    object: takeDecision,
    claim: decided(''),
    confidence: 0.9,
  },
  {
    ...STANDING,
    lead: wordPattern(
      String.raw`(?:we|i)(?:~ve| have)? (?:just |finally |now |all |already |also |recently ){0,2}(?:(?:decided|agreed|settled)(?: on| that|(?= against (?!all\b)))|opted for|(?:chose|picked|selected)(?= (?:\p{Lu}|the |a ))|chosen|went with|gone with)\s`,
    ),
    object: takeDecision,
    claim: decided(''),
    confidence: 0.85,
  },
  {
    ...STANDING,
    lead: wordPattern(
      String.raw`(?:we(?:~re| are)|i(?:~m| am)) (?:now |definitely )?(?:going|sticking|staying) with\s`,
    ),
    object: takeDecision,
    claim: decided(''),
    confidence: 0.85,
  },
  {
    ...STANDING,
    lead: wordPattern(
      String.raw`(?:we(?:~re| are) (?:now )?dropping|we(?:~ve| have)? (?:just |now )?dropped)\s(?!(?:the ball|off|out|by|in|it)\b)`,
    ),
    object: takeDecision,
    claim: decided('to drop '),
    confidence: 0.82,
  },
  {
    ...STANDING,
    lead: wordPattern(String.raw`let~s (?:go|stick|stay) with\s`),
    object: (sentence, from) => takeTool(sentence, from),
    after: wordPattern(String.raw`(?=\s{0,2}(?:[.,;!)]|$|(?:for|and|then|because|since)\b))`),
    claim: decided(''),
    confidence: 0.8,
  },
  {
    ...STANDING,
    lead: wordPattern(String.raw`wir haben (?:uns )?(?:beschlossen|entschieden|geeinigt),?\s(?!(?:noch )?nicht\s*$)`),
    object: takeDecision,
    claim: decided(''),
    confidence: 0.85,
  },
]

/** Tools that are written in small letters. */
const SMALL =
  'pnpm|npm|yarn|bun|deno|node|git|vim|neovim|emacs|zsh|bash|fish|tmux|nginx|systemd|docker|kubernetes|k8s|terraform|ansible|postgres|postgresql|mysql|sqlite|redis|mongodb|mongo|kafka|rabbitmq|vite|vitest|jest|mocha|eslint|oxlint|prettier|biome|webpack|rollup|esbuild|turborepo|nx|react|vue|svelte|angular|solid|astro|tailwind|typescript|javascript|python|rust|golang|java|kotlin|ruby|rails|django|flask|fastapi|express|hono|prisma|drizzle|zod|lodash|axios|graphql|grpc|trpc|rest|pytest|poetry|conda|uv|pip|cargo|maven|gradle|bazel|make|cmake|helm|argo|jira|linear|notion|slack|figma|storybook|cypress|playwright|selenium|sentry|datadog|grafana|prometheus|semicolons|tabs|spaces|feature flags|macos|windows|linux|ubuntu|debian|arch|ios|android|iphone'
const TOOL = new RegExp(
  String.raw`(?:\p{Lu}[\p{L}\d]{0,24}(?:[.+#&/-][\p{L}\d]{1,24}){0,3}[+#]{0,2}|${SMALL.split('|')
    .map((word) => `${word}(?![\\p{L}\\d-])`)
    .join(
      '|',
    )}|\p{Ll}[\p{L}\d]{0,20}\.(?:js|io|dev|ai|sh))(?:\s(?:\p{Lu}[\p{L}\d]{0,24}(?:[.+-][\p{L}\d]{1,24}){0,3}|v?\d{1,4}(?:\.\d{1,4}){0,3}|LTS)){0,3}`,
  'uy',
)
const NO_TOOL =
  /^(?:I|We|You|It|This|That|The|A|An|My|Our|Your|These|Those|They|He|She|What|Which|PTO|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June|July|August|September|October|November|December|Hold|Vacation|Leave|Fire|Board|Track|Holiday|Saturdays|Sundays|Mondays|Fridays)(?:\s|$)/u

/** A product, a language or a library, with its version. */
const takeTool: Taker = (sentence, from): Taken | undefined => {
  const text = stickGroups(TOOL, sentence, from)?.[0]
  return text === undefined ||
    NO_TOOL.test(text) ||
    /^\s(?:the\s)?(?:account|key|password|token)s?\b/iu.test(sentence.slice(from + text.length))
    ? undefined
    : { text, end: from + text.length }
}

const SEPARATOR = /\s?(?:,\s(?:and\s)?|\s(?:and|und|plus|with|mit)\s)/uy

/** Several of them; each is one value. */
const takeTools: Taker = (sentence, from) => {
  let end = from
  for (let next = from, first = true; first || next > end; first = false) {
    const tool = takeTool(sentence, next)
    if (tool === undefined) break
    end = tool.end
    next = end + (stickGroups(SEPARATOR, sentence, end)?.[0].length ?? 0)
  }
  return end === from ? undefined : { text: sentence.slice(from, end), end }
}

/** What is used, if it is no tool with a name: `feature flags`. Two plain words at most, up to `for` or the end. */
const takeMeans: Taker = (sentence, from) => {
  const named = takeTools(sentence, from)
  if (named !== undefined) return named
  const text =
    /^\p{Ll}[\p{Ll}-]{2,20}(?:\s\p{Ll}[\p{Ll}-]{2,20})?(?=\s{0,2}(?:[.;!]|$)|\s(?:for|here|everywhere|in)\b)/u.exec(
      sentence.slice(from),
    )?.[0]
  if (
    text === undefined ||
    text.split(' ').some(isVerbOrParticle) ||
    /^(?:it|them|him|her|us|you|the|lots|something|anything|everything|nothing|your|our|my|his|their|one|ones)\b/u.test(
      text,
    )
  )
    return undefined
  return { text, end: from + text.length }
}

const END = String.raw`(?=\s{0,2}(?:[.,;!)]|$)|\s(?:for|as|in|on|at|to|since|because|but|and|so|here|everywhere|with|now|everyday|daily|instead|rather|für|als|und|aber|seit|statt)\b)`
const OFTEN = String.raw`(?:also |currently |only |now |mostly |all |mainly |still |usually |always |just |really ){0,2}`
const NOT = String.raw`(?:(?:, not|, never|\sinstead of|\srather than|\sand not|, no longer|, nicht|\sstatt)\s(?<not>[\w+#/-][\w.+#/-]{0,22}[\w+#](?:\s[\w.+#-]{0,22}[\w+#])?)(?=\s{0,2}(?:[.,;!)]|$|for\b|because\b)))?`

const uses = ({
  object,
  groups,
}: {
  readonly object: string
  readonly groups: Readonly<Record<string, string | undefined>>
}): readonly PatternClaim[] => [
  ...tools(object).map((tool) => ({ predicate: 'uses', object: tool })),
  ...(groups['not'] === undefined ? [] : [{ predicate: 'does_not_use', object: groups['not'] }]),
]

function tools(list: string): readonly string[] {
  return list.split(/\s?,\s(?:and\s)?|\s(?:and|und|plus|with|mit)\s/u).filter((tool) => tool !== '')
}

const ofUse: readonly Pattern[] = [
  {
    ...STANDING,
    lead: wordPattern(
      String.raw`(?:this|the|our) (?:project|repo|repository|codebase|code base|app|team|service|stack)(?: also| currently)? (?:uses|runs on|is built (?:with|on)|is written in)\s`,
    ),
    object: takeTools,
    after: wordPattern(`${END}${NOT}`),
    claim: uses,
    confidence: 0.85,
  },
  {
    ...STANDING,
    lead: wordPattern(
      String.raw`(?:we ${OFTEN}use|i ${OFTEN}use|we(?:~re| are) ${OFTEN}using|i(?:~m| am) ${OFTEN}using|wir (?:benutzen|verwenden|nutzen)|ich (?:benutze|verwende|nutze))\s`,
    ),
    object: takeMeans,
    after: wordPattern(`${END}${NOT}`),
    claim: uses,
    confidence: 0.88,
  },
  {
    ...STANDING,
    lead: wordPattern(
      String.raw`(?:(?:we(?:~re| are)|i(?:~m| am)) ${OFTEN}(?:on|running)|(?:we|i) ${OFTEN}run(?: on)?)\s`,
    ),
    object: takeTools,
    after: wordPattern(`(?!\\s(?:plan|tier|team|side|board|committee)\\b)${END}${NOT}`),
    claim: uses,
    confidence: 0.82,
  },
  {
    ...STANDING,
    lead: wordPattern(
      String.raw`(?:we|i)(?:~ve| have)? (?:just |recently |now |finally )?(?:no longer use|stopped using|don~t use(?=.{1,40}any ?more)|got rid of|moved away from|migrated (?:away )?(?:from|off)|switched (?:away )?from)\s`,
    ),
    object: takeTools,
    claim: ({ object }) => tools(object).map((tool) => ({ predicate: 'uses', object: tool })),
    confidence: 0.88,
    closes: true,
    dated: true,
  },
  {
    ...STANDING,
    lead: wordPattern(
      String.raw`(?:we|i)(?:~ve| have)? (?:just |recently |now |finally )?(?:migrated|switched)(?: over)?(?: from [\w.+# -]{2,30}?)? to\s(?:using )?`,
    ),
    object: takeTools,
    after: wordPattern(END),
    claim: uses,
    confidence: 0.85,
  },
  {
    ...STANDING,
    lead: wordPattern(String.raw`(?:we|i) (?:don~t|do not|never) use\s`),
    object: takeMeans,
    after: wordPattern(`(?!.{0,40}any ?more)${END}`),
    claim: ({ object }) => tools(object).map((tool) => ({ predicate: 'does_not_use', object: tool })),
    confidence: 0.85,
  },
  {
    ...STANDING,
    lead: wordPattern(
      String.raw`we ${OFTEN}(?:deploy|host)(?: everything| it all)? (?:to|on|(?<with>with|using|through|via))\s`,
    ),
    object: takeTools,
    after: wordPattern(END),
    claim: ({ object, groups }) =>
      tools(object).map((tool) => ({
        predicate: groups['with'] === undefined ? 'deploys_to' : 'deploys_with',
        object: tool,
      })),
    confidence: 0.85,
  },
]

/** What was decided, and what a team works with. */
export const decisions: readonly Pattern[] = [...choices, ...ofUse]
