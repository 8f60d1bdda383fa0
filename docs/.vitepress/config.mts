import { defineConfig } from 'vitepress'

import { pageGroups } from '../../scripts/docs/pages.ts'

const REPOSITORY_FILE = /^(?:\.\.\/)+(?!docs\/)([\w./-]+)$/

export default defineConfig({
  title: 'Daybook',
  description: 'Memory for LLM agents, in one SQLite file or in PostgreSQL',
  cleanUrls: true,
  lastUpdated: false,
  srcExclude: ['node_modules/**', 'internals/**'],
  markdown: {
    // Links to files outside docs/ lead nowhere on the site: they are shown as text.
    config(md) {
      md.core.ruler.push('repository-files', (state) => {
        for (const { children } of state.tokens)
          for (const token of children ?? [])
            if (token.type === 'link_open' && REPOSITORY_FILE.test(token.attrGet('href') ?? '')) token.attrs = []
      })
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: pageGroups().map(({ title, pages }) => ({
      text: title,
      items: pages.map((page) => ({ text: page.path === 'index' ? 'Overview' : page.title, link: `/${page.path}` })),
    })),
  },
})
