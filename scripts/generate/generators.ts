// scripts/generate/generators.ts: every generator of scripts/generate.ts.
import { boundariesDoc } from './boundaries-doc.ts'
import { checksDoc } from './checks-doc.ts'
import { client } from './client.ts'
import { conformanceDoc } from './conformance-doc.ts'
import { fleetFileDoc } from './fleet-file-doc.ts'
import { chartFiles } from './helm-chart/chart-files.ts'
import { jsonSchemas } from './json-schemas.ts'
import { messagesDoc } from './messages-doc.ts'
import { metricsDoc } from './metrics-doc.ts'
import { notifiersDoc } from './notifiers-doc.ts'
import { openApiDocuments } from './openapi-documents.ts'
import { recoveriesDoc } from './recoveries-doc.ts'
import { settingsDoc } from './settings-doc.ts'
import { v1ApiDoc } from './v1-api-doc.ts'
import { v2ApiDoc } from './v2-api-doc.ts'

/** Makes files: path from the root to content. Reads only what a checkout contains. */
export type Generate = () => Promise<ReadonlyMap<string, string>>

export const generators: readonly Generate[] = [
  boundariesDoc,
  jsonSchemas,
  settingsDoc,
  metricsDoc,
  messagesDoc,
  fleetFileDoc,
  checksDoc,
  recoveriesDoc,
  notifiersDoc,
  v1ApiDoc,
  v2ApiDoc,
  openApiDocuments,
  conformanceDoc,
  client,
  chartFiles,
]
