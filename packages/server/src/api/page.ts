// api/page.ts: the page served if the dashboard is not built: says so, what to do, and where the API is. No
// script, no style.
export const notBuilt =
  'The dashboard is not built: run npm run build in the folder of the repository, then restart the service.'

export const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Pulseward</title>
<h1>Pulseward is running</h1>
<p>${notBuilt}</p>
<p>The API answers under <code>/api/v1</code>:</p>
<ul>
<li><a href="/api/v1/overview">/api/v1/overview</a>: the fleet in numbers</li>
<li><a href="/api/v1/readyz">/api/v1/readyz</a>: whether the service can do its work</li>
<li><a href="/api/v1/healthz">/api/v1/healthz</a>: whether the process is alive</li>
</ul>
</html>
`
