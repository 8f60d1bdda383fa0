/** For a person who opened the link: what is here and how to go on. No script, no style from elsewhere, nothing of the memory. */
export const FRONT_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Daybook</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 3rem auto; padding: 0 1rem; color: #222; background: #fff }
pre { background: #f4f4f4; padding: .8rem; overflow-x: auto }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #181818 } pre { background: #242424 } a { color: #8bf } }
</style>
</head>
<body>
<h1>Daybook</h1>
<p>A memory for agents is served here, and it works. The key stands in the address of this page, behind <code>#key=</code>;
it is sent to nobody, and is kept in the file beside the memory that ends in <code>.key</code>.</p>
<h2>Try it</h2>
<pre>KEY=dbk_…            # what stands behind #key=
URL=http://127.0.0.1:3773   # the address of this page

curl -s $URL/v1/scopes/acme%2Fada/sessions/first/messages \\
  -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \\
  -d '{"messages": {"role": "user", "content": "Order 7731 is late."}}'

curl -s $URL/v1/scopes/acme%2Fada/recall \\
  -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \\
  -d '{"query": "what is late?"}'</pre>
<p>From a program: <code>openMemory("http://127.0.0.1:3773", { key })</code>, the same calls as with a file.</p>
<h2>What is here</h2>
<ul>
<li><a href="/openapi.json">/openapi.json</a>: every call, described</li>
<li><code>/mcp?scope=acme/ada</code>: the same memory for agents that speak MCP, with a key</li>
<li><a href="/healthz">/healthz</a> and <a href="/readyz">/readyz</a>: whether it runs, and whether it takes writes</li>
<li><code>/metrics</code>: for Prometheus, with a key of the whole memory</li>
</ul>
<p>A key for one scope: <code>daybook key create --scope acme/ada --can read,write</code></p>
</body>
</html>
`

/** The one style is in the page; everything else is forbidden, also to be framed or to send a form. */
export const FRONT_PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
}
