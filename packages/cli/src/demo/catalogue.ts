// demo/catalogue.ts: the company that a demo pretends to watch: its areas, what runs in them, and where.

export interface Service {
  readonly area: string
  readonly name: string
  readonly type: 'http' | 'tcp' | 'dns'
}

function area(name: string, services: Readonly<Record<Service['type'], readonly string[]>>): Service[] {
  const types = ['http', 'tcp', 'dns'] as const
  return types.flatMap((type) => services[type].map((service) => ({ area: name, name: service, type })))
}

export const services = [
  ...area('payments', {
    http: ['Checkout API', 'Card gateway', 'Refund API', 'Fraud scoring', 'Invoice API'],
    tcp: ['Payment queue'],
    dns: ['Checkout name'],
  }),
  ...area('search', {
    http: ['Query router', 'Suggest API', 'Ranking API', 'Index shard'],
    tcp: ['Index replication'],
    dns: [],
  }),
  ...area('mail', {
    http: ['Newsletter API', 'Bounce handler', 'Template API'],
    tcp: ['Mail relay', 'Mailbox store'],
    dns: ['Mail exchanger name'],
  }),
  ...area('edge', {
    http: ['Edge cache', 'Image resizer', 'Login page', 'Static assets'],
    tcp: ['Load balancer'],
    dns: ['Shop name'],
  }),
  ...area('ledger', {
    http: ['Ledger API', 'Balance API', 'Statement export'],
    tcp: ['Ledger database', 'Journal replica'],
    dns: [],
  }),
  ...area('catalog', {
    http: ['Product API', 'Price API', 'Stock API', 'Review API'],
    tcp: ['Catalog cache'],
    dns: ['Catalog name'],
  }),
  ...area('batch', {
    http: ['Report builder', 'Nightly import', 'Payout run'],
    tcp: ['Job queue'],
    dns: [],
  }),
] as [Service, ...Service[]]

export const regions = ['eu-central', 'eu-west', 'us-east', 'us-west', 'ap-south'] as const
