// checks/http/render-request.ts: writes the request of a step. No value from a configuration or a redirect
// can add a line, and what is meant for the configured origin is not sent to any other.
import { isOneLine } from '../../platform/schema.ts'
import { UnusableConfig } from '../driver.ts'
import type { HttpConfig } from './config.ts'
import type { RedirectStep } from './redirect-step.ts'

/** Alternating names and values. The defaults come first, unless the configuration sets them. */
export function requestFields(config: HttpConfig, step: RedirectStep): string[] {
  const own = step.configuredOrigin ? ownFields(config, step.url) : []
  const has = (name: string): boolean => own.some((field, i) => i % 2 === 0 && field.toLowerCase() === name)
  const fields: string[] = []
  if (!has('host')) fields.push('Host', step.url.host)
  if (!has('user-agent')) fields.push('User-Agent', 'pulseward')
  if (!has('accept')) fields.push('Accept', '*/*')
  fields.push(...own)
  if (step.body !== undefined) fields.push('Content-Length', String(Buffer.byteLength(step.body)))
  for (let index = 1; index < fields.length; index += 2) {
    if (!isOneLine(fields[index]!))
      throw new UnusableConfig(
        `the value for the header ${fields[index - 1]} holds a character that no header may hold`,
      )
  }
  return fields
}

/** The bytes of an HTTP/1 request as one string. A proxy in between gets the absolute form and its credentials. */
export function renderRequest(config: HttpConfig, step: RedirectStep, proxy: URL | null): string {
  const { url, method, body } = step
  const path =
    proxy === null ? url.pathname + url.search : `${url.protocol}//${url.host}${url.pathname}${url.search}`
  const plain =
    proxy === null &&
    body === undefined &&
    url.username === '' &&
    url.password === '' &&
    config.headers === undefined &&
    config.auth === undefined &&
    config.http_version !== '1.0'
  if (plain) {
    return `${method} ${path} HTTP/1.1\r\nHost: ${url.host}\r\nUser-Agent: pulseward\r\nAccept: */*\r\nConnection: close\r\n\r\n`
  }
  const fields = requestFields(config, step)
  let text = `${method} ${path} HTTP/${config.http_version === '1.0' ? '1.0' : '1.1'}\r\n`
  for (let index = 0; index < fields.length; index += 2) text += `${fields[index]}: ${fields[index + 1]}\r\n`
  const proxyAuthorization = proxy === null ? '' : authorizationOf(proxy)
  if (proxyAuthorization !== '') text += `Proxy-Authorization: ${proxyAuthorization}\r\n`
  return `${text}Connection: close\r\n\r\n${body ?? ''}`
}

/** The Basic authorization value for the user info of a URL; empty if it has none. */
export function authorizationOf(url: URL): string {
  if (url.username === '' && url.password === '') return ''
  return basic(decoded(url.username), decoded(url.password))
}

function ownFields(config: HttpConfig, url: URL): string[] {
  const fields = Object.entries(config.headers ?? {}).flat()
  const { auth } = config
  if (auth !== undefined) {
    fields.push(
      'Authorization',
      'basic' in auth ? basic(auth.basic.username, auth.basic.password) : `Bearer ${auth.bearer}`,
    )
  } else if (!Object.keys(config.headers ?? {}).some((name) => name.toLowerCase() === 'authorization')) {
    const authorization = authorizationOf(url)
    if (authorization !== '') fields.push('Authorization', authorization)
  }
  return fields
}

function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
