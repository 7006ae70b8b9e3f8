import { listeningApi } from '@pulseward/testing/api'
import { expect, it, onTestFinished } from 'vitest'
import { openApiRoute } from './openapi.ts'

it.each([
  { token: 'key', logins: [{ bearer: [] }, { basic: [] }] },
  { token: null, logins: [{ bearer: [] }, { basic: [] }, {}] },
])('offers access without a login only when no token is set ($token)', async ({ token, logins }) => {
  const route = openApiRoute({ edition: 'candidate', authentication: token !== null, servesV2: false })
  const api = await listeningApi({ routes: [route], token })
  onTestFinished(() => api[Symbol.asyncDispose]())
  const headers = token === null ? {} : { authorization: `Bearer ${token}` }
  const answer = await fetch(`${api.url}/api/openapi.json`, { headers })
  const { paths } = (await answer.json()) as { paths: Record<string, { get: { security: object[] } }> }
  for (const { get } of Object.values(paths)) expect(get.security).toEqual(logins)
})
