import { pageGroups } from './pages.ts'

const INTRODUCTION = `# Daybook

> Memory for LLM agents in one SQLite file or PostgreSQL: a durable log, contexts that fit, facts with sources, recall with reasons.
> TypeScript, Node 22.14 or later, ESM. Install: npm install daybook. No server, key or model is needed.
`

/** An index of the documentation for language models (https://llmstxt.org): one line for each page. */
export function llmsIndex(): string {
  const groups = pageGroups().map(({ title, pages }) => {
    const lines = pages.map((page) => `- [${page.title}](docs/${page.path}.md): ${firstSentence(page.text)}`)
    return `## ${title}\n\n${lines.join('\n')}\n`
  })
  return [INTRODUCTION, ...groups].join('\n')
}

/** All pages in one text. */
export function llmsFull(): string {
  const pages = pageGroups().flatMap((group) => group.pages)
  return [INTRODUCTION, ...pages.map(({ path, text }) => `<!-- docs/${path}.md -->\n\n${text.trim()}\n`)].join('\n')
}

function firstSentence(text: string): string {
  const paragraph = text.split('\n\n').find((part) => /^[A-Z`*]/.test(part)) ?? ''
  const [sentence = ''] = /^.*?[.:](?=\s|$)/s.exec(paragraph) ?? [paragraph]
  return sentence.replaceAll(/\s+/g, ' ').trim()
}
