// demo/inbox.ts: where the notifications of a demo arrive, and what restarts its services. Anybody on this machine can send
// to it, so it keeps little, and what it shows is text.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

const mostMessages = 200
const mostBytes = 65_536

interface Message {
  readonly at: Date
  readonly to: string
  readonly color: string
  readonly summary: string
}

/** restart: whether the service of this monitor was restarted. */
export function createInbox(restart: (monitor: number) => boolean): Server {
  const messages: Message[] = []
  return createServer(async (request, response) => {
    const path = request.url ?? '/'
    if (request.method !== 'POST') return showPage(response, messages)
    const body = await bodyOf(request)
    const monitor = /^\/restart\/(\d{1,9})$/.exec(path)?.[1]
    if (monitor !== undefined) return void response.writeHead(restart(Number(monitor)) ? 200 : 500).end()
    messages.unshift(messageIn(path.slice(1), body))
    messages.length = Math.min(messages.length, mostMessages)
    response.writeHead(200).end()
  })
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  request.setEncoding('utf8')
  for await (const chunk of request) if (text.length < mostBytes) text += chunk
  return text
}

function messageIn(to: string, body: string): Message {
  const said = parsed(body)
  return { at: new Date(), to, color: String(said['color'] ?? ''), summary: String(said['summary'] ?? body) }
}

function parsed(body: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(body)) as Record<string, unknown>
  } catch {
    return {}
  }
}

function showPage(response: ServerResponse, messages: readonly Message[]): void {
  const rows = messages.map(
    ({ at, to, color, summary }) =>
      `<tr><td>${at.toISOString().slice(11, 19)}<td>${plain(to)}<td class="${colors.has(color) ? color : ''}">${plain(color)}<td>${plain(summary)}`,
  )
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy })
  response.end(page(rows))
}

const colors: ReadonlySet<string> = new Set(['red', 'yellow', 'green', 'cyan', 'gray'])
const policy = "default-src 'none'; style-src 'unsafe-inline'"

function plain(text: string): string {
  return text.replace(/[<>&"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

function page(rows: readonly string[]): string {
  const none = '<p>Nothing yet. The first outage of a demo is seconds away.'
  const table = `<table><tr><th>Time (UTC)<th>To<th>Color<th>Message${rows.join('')}</table>`
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="5"><title>Inbox of the demo</title>
<style>:root{color-scheme:light dark}body{font:15px/1.5 system-ui;margin:2rem}td,th{padding:.2rem .8rem .2rem 0;text-align:left;vertical-align:top}
.red{color:#d33}.green{color:#2a8a2a}.cyan{color:#178a9a}.yellow{color:#a67c00}.gray{color:#888}</style>
<h1>Inbox of the demo</h1>
<p>What Pulseward has sent to the two destinations of this demo, the newest first.
${rows.length === 0 ? none : table}`
}
