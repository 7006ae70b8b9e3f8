// scripts/docs/examples/moving-files.fixture.ts: small configurations of other programs, under the names that
// the page about moving in uses.
import type { TemporaryFolder } from '@pulseward/testing'
import { writeKumaDatabase } from '../../../packages/cli/src/import/uptime-kuma/database.fixture.ts'

const files = {
  'Uptime_Kuma_Backup.json': JSON.stringify({
    version: '1.23.0',
    notificationList: [],
    monitorList: [{ id: 1, name: 'Shop', type: 'port', hostname: 'shop.example', port: 443, interval: 60 }],
  }),
  'config.yaml': `endpoints:
  - { name: shop, url: "https://shop.example/health", conditions: ["[STATUS] == 200"] }
`,
  'blackbox.yml': 'modules:\n  http_ok: { prober: http }\n',
  'prometheus.yml': `scrape_configs:
  - job_name: probe
    metrics_path: /probe
    params: { module: [http_ok] }
    static_configs: [{ targets: ["https://shop.example/"] }]
    relabel_configs:
      - { source_labels: [__address__], target_label: __param_target }
      - { target_label: __address__, replacement: "127.0.0.1:9115" }
`,
  'monitors.yaml': `monitors:
  - name: shop
    pulse_check: { type: tcp, interval: 30s, config: { host: shop.example, port: 443 } }
`,
}

export function writeMovingFiles(folder: TemporaryFolder): void {
  for (const [name, content] of Object.entries(files)) folder.write(`work/${name}`, content)
  const shop = { name: 'Shop', type: 'http', url: 'https://shop.example/', basic_auth_user: 'ward' }
  writeKumaDatabase(folder.path('work/kuma.db'), {
    monitor: [{ ...shop, auth_method: 'basic', basic_auth_pass: 'hunter2' }],
  })
}
