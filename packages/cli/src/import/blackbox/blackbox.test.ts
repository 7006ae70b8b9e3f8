import { describe, expect, it } from 'vitest'
import { imported, refused } from '../import.fixture.ts'

/** The relabeling of the exporter's documentation. */
const relabeling = `
    relabel_configs:
      - { source_labels: [__address__], target_label: __param_target }
      - { source_labels: [__param_target], target_label: instance }
      - { target_label: __address__, replacement: "127.0.0.1:9115" }
`
const job = (module: string, target: string, more = '') =>
  `  - job_name: probe\n    metrics_path: /probe\n    params: { module: [${module}] }\n    static_configs: [{ targets: ["${target}"]${more} }]${relabeling}`

const files = (modules: string, jobs: string) => ({
  'blackbox.yml': `modules:\n${modules}`,
  'prometheus.yml': `global: { scrape_interval: 15s }\nscrape_configs:\n${jobs}`,
})

describe('modules and scrape configurations', () => {
  it('become monitors, one for each target', async () => {
    const { fleet, stdout, stderr, secrets } = await imported(
      'blackbox',
      files(
        `  http_ok:
    prober: http
    timeout: 5s
    http:
      method: POST
      valid_status_codes: [200, 204]
      headers: { X-Trace: "on" }
      http_headers: { X-Api-Key: { secrets: [hunter2] } }
      body: '{}'
      basic_auth: { username: ward, password_file: /run/secrets/ward }
      fail_if_body_matches_regexp: [out of order]
      fail_if_body_not_matches_regexp: ["^ready [0-9]+$"]
      fail_if_ssl: false
      tls_config: { insecure_skip_verify: true }
      preferred_ip_protocol: ip4
      ip_protocol_fallback: false
  unused: { prober: icmp }
`,
        job('http_ok', 'shop.example', ', labels: { team: payments }'),
      ),
    )
    expect(fleet.monitors).toEqual([
      {
        id: 'shop-example-probe',
        name: 'shop.example (probe)',
        labels: { job: 'probe', team: 'payments' },
        check: {
          type: 'http',
          interval: '15s',
          timeout: '5s',
          config: {
            url: 'http://shop.example',
            method: 'POST',
            headers: { 'X-Trace': 'on', 'X-Api-Key': { credential: 'http-ok-header-x-api-key' } },
            body: '{}',
            auth: { basic: { username: 'ward', password: { credential: 'http-ok-password' } } },
            expect: { status: [200, 204], body: { not_contains: 'out of order', regex: '^ready [0-9]+$' } },
            redirects: { follow: true },
            tls: { verify: false },
            family: 'ipv4',
          },
        },
      },
    ])
    expect(fleet.credentials?.['http-ok-password']).toEqual({ file: '/run/secrets/ward' })
    expect(secrets).toBe('FLEET_HTTP_OK_HEADER_X_API_KEY=hunter2\n')
    expect(stdout + stderr).not.toContain('hunter2')
    expect(stderr).toContain('"unused": is not carried over: no target is probed with this module')
    expect(stderr).not.toMatch(/fail_if_ssl|relabel/)
  })

  const probers: Record<string, [module: string, target: string, type: string, config: object]> = {
    tcp: ['prober: tcp', 'db.example:5432', 'tcp', { host: 'db.example', port: 5432 }],
    'tcp that talks': [
      'prober: tcp\n    tcp: { query_response: [{ send: PING }, { expect: "^PONG$" }] }',
      'a:1',
      'tcp',
      { send: 'PING\n', expect: 'PONG' },
    ],
    tls: ['prober: tcp\n    tcp: { tls: true }', 'db.example:443', 'tls', { host: 'db.example', port: 443 }],
    'starttls of SMTP': [
      'prober: tcp\n    tcp: { query_response: [{ expect: "^220" }, { send: "EHLO me\\r" }, { send: "STARTTLS\\r" }, { starttls: true }] }',
      'a:25',
      'tls',
      { starttls: 'smtp' },
    ],
    'starttls of IMAP': [
      'prober: tcp\n    tcp: { query_response: [{ expect: OK }, { send: ". STARTTLS" }, { starttls: true }] }',
      'a:143',
      'tls',
      { starttls: 'imap' },
    ],
    'starttls of PostgreSQL': [
      'prober: tcp\n    tcp: { query_response: [{ send: !!binary AAAACATSFi8= }, { expect_bytes: S }, { starttls: true }] }',
      'a:5432',
      'tls',
      { starttls: 'postgres' },
    ],
    icmp: ['prober: icmp', '192.0.2.1', 'icmp', { host: '192.0.2.1', count: 1 }],
    dns: [
      'prober: dns\n    dns: { query_name: example.org, query_type: SOA }',
      '9.9.9.9',
      'dns',
      { host: 'example.org', record_type: 'SOA', server: '9.9.9.9' },
    ],
    grpc: [
      'prober: grpc\n    grpc: { service: shop.v1.Orders, tls: true }',
      '[::1]:443',
      'grpc',
      { host: '::1', port: 443, service: 'shop.v1.Orders', tls: {} },
    ],
    websocket: [
      'prober: websocket',
      'wss://shop.example/live',
      'websocket',
      { url: 'wss://shop.example/live' },
    ],
  }
  it.each(Object.entries(probers))('carry over the prober: %s', async (_, [module, target, type, config]) => {
    const { fleet } = await imported('blackbox', files(`  one:\n    ${module}\n`, job('one', target)))
    expect(fleet.monitors[0]?.check).toMatchObject({ type, config })
  })

  it.each([
    ['no redirects, by the older name', 'no_follow_redirects: true', { redirects: undefined }],
    [
      'a token, by the older name',
      'bearer_token: hunter2',
      { auth: { bearer: { credential: 'one-token' } } },
    ],
    ['a token in a file', 'bearer_token_file: /t', { auth: { bearer: { credential: 'one-token' } } }],
    ['GET with a body', 'body: hi', { method: 'GET', body: 'hi' }],
    ['GET with a file', 'body_file: /b', { method: 'GET', body: { credential: 'one-body' } }],
    ['truth values of YAML 1.1', 'follow_redirects: no', { redirects: undefined }],
    [
      'headers without those that the check writes',
      'headers: { Connection: close, X: y }',
      { headers: { X: 'y' } },
    ],
  ])('are asked for as the exporter does: %s', async (_, http, config) => {
    const modules = `  one:\n    prober: http\n    http: { ${http} }\n`
    const { fleet, stdout, stderr } = await imported('blackbox', files(modules, job('one', 'a.example')))
    const written: Record<string, unknown> = { ...fleet.monitors[0]?.check.config }
    for (const [key, value] of Object.entries(config)) expect([key, written[key]]).toEqual([key, value])
    expect(stdout + stderr).not.toContain('hunter2')
  })

  it('note a timeout that cannot be read', async () => {
    const { stderr } = await imported(
      'blackbox',
      files('  one: { prober: icmp, timeout: soon }\n', job('one', 'a')),
    )
    expect(stderr).toContain('"module one": timeout: is not a duration')
  })

  it('take a target from the parameters of the job, where the address is that of the exporter', async () => {
    const jobs = `  - job_name: probe
    metrics_path: /probe
    params: { module: [one], target: [real.example] }
    static_configs: [{ targets: ["exporter:9115"] }]
`
    const { fleet } = await imported('blackbox', files('  one: { prober: icmp }\n', jobs))
    expect(fleet.monitors.map(({ check }) => check.config)).toEqual([{ host: 'real.example', count: 1 }])
  })

  it('know the relabeling that writes its defaults', async () => {
    const jobs = `  - job_name: probe
    metrics_path: /probe
    params: { module: [one] }
    static_configs: [{ targets: [a.example] }]
    relabel_configs:
      - { source_labels: [__address__], regex: "(.*)", replacement: "\${1}", action: replace, target_label: __param_target }
      - { source_labels: [], regex: ".*", target_label: __address__, replacement: "127.0.0.1:9115" }
`
    const { stderr } = await imported('blackbox', files('  one: { prober: icmp }\n', jobs))
    expect(stderr).not.toContain('relabel_configs')
  })

  it('take the module from a label where relabeling says so', async () => {
    const jobs = `  - job_name: probe
    metrics_path: /probe
    static_configs: [{ targets: [a.example], labels: { module: ping } }]
    relabel_configs: [{ source_labels: [module], target_label: __param_module }]
`
    const { fleet } = await imported('blackbox', files('  ping: { prober: icmp }\n', jobs))
    expect(fleet.monitors[0]?.check.type).toBe('icmp')
  })

  it('keep secrets of targets out of names and notes', async () => {
    const target = 'https://ward:hunter2@shop.example/x?token=hunter3'
    const { stdout, stderr, secrets } = await imported(
      'blackbox',
      files('  one: { prober: http }\n', job('one', target)),
    )
    expect(stdout + stderr).not.toMatch(/hunter/)
    expect(secrets).toBe(
      'FLEET_SHOP_EXAMPLE_X_PROBE_URL="https://shop.example/x?token=hunter3"\nFLEET_SHOP_EXAMPLE_X_PROBE_PASSWORD=hunter2\n',
    )
  })

  it('leave behind what is discovered, other jobs and rules, by name', async () => {
    const jobs = `${job('one', 'a.example')}
  - { job_name: node, static_configs: [{ targets: [b.example] }] }
  - { job_name: found, metrics_path: /probe, params: { module: [one] }, dns_sd_configs: [{ names: [c.example] }] }
  - { job_name: nobody, metrics_path: /probe, params: { module: [none] }, static_configs: [{ targets: [d.example] }] }
rule_files: [rules.yml]
`
    const { fleet, stderr } = await imported('blackbox', files('  one: { prober: http }\n', jobs))
    expect(fleet.monitors).toHaveLength(1)
    for (const note of [
      '"job node": is not carried over: it does not probe',
      '"job found": dns_sd_configs: is not carried over',
      '"d.example (nobody)": module: keeps it from being carried over: there is no module of this name',
      'rule_files: is not carried over',
    ])
      expect(stderr).toContain(note)
  })

  it.each([
    ['modules alone', { 'a.yml': 'modules: { one: { prober: http } }\n' }, 'there are no scrape_configs'],
    ['targets alone', { 'a.yml': 'scrape_configs: []\n' }, 'there are no modules'],
    [
      'neither',
      { 'a.yml': 'version: 1\n' },
      'there are neither modules of blackbox_exporter nor scrape_configs',
    ],
  ])('are refused with a sentence when there are %s', async (_, given, sentence) => {
    expect(await refused('blackbox', given)).toEqual([1, expect.stringContaining(sentence)])
  })
})
