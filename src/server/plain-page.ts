/** Shown where the inspector was not built, for example in a bundle of somebody else. It loads nothing and runs nothing. */
export const PLAIN_PAGE = `<!doctype html>
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
<p>The server runs. Its inspector is not here, because it was not built: in a clone, <code>npm start</code> and <code>npm run build</code>
build it. The package on npm has it.</p>
<h2>Use it without the inspector</h2>
<pre>KEY=dbk_…            # in the address of this page, after #key=
URL=http://127.0.0.1:3773   # the address of this page

curl -s $URL/v1/scopes/your%2Fscope/sessions/first/messages \\
  -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \\
  -d '{"messages": {"role": "user", "content": "Order 7731 is late."}}'</pre>
<ul>
<li><a href="/openapi.json">/openapi.json</a>: every call, described</li>
<li><code>/mcp?scope=your/scope</code>: the same memory for agents that use MCP, with a key</li>
<li><a href="/healthz">/healthz</a> and <a href="/readyz">/readyz</a>: whether it runs, and whether it accepts writes</li>
</ul>
</body>
</html>
`
