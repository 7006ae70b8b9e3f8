// recovery/kubernetes/service-account.ts: access for a process in a pod: the cluster puts a token and its
// authority into files, and the address of the API server into the environment.
import { join } from 'node:path'
import { formatEndpoint } from '../../platform/network/ip-address.ts'
import { accessOrReason, CannotAccess, type ClusterAccess, readSmallFile } from './cluster-access.ts'

export interface ServiceAccountPlace {
  readonly environment: NodeJS.ProcessEnv
  /** Where token and ca.crt are. */
  readonly folder: string
}

export function readServiceAccount({
  environment,
  folder,
}: ServiceAccountPlace): Promise<ClusterAccess | CannotAccess> {
  return accessOrReason(async () => {
    const host = environment['KUBERNETES_SERVICE_HOST'] ?? ''
    const port = Number(environment['KUBERNETES_SERVICE_PORT'] ?? 443)
    if (host === '') {
      throw new CannotAccess('this process does not run in a pod of a Kubernetes cluster; name a kubeconfig')
    }
    const token = (await readSmallFile(join(folder, 'token'))).trim()
    const ca = await readSmallFile(join(folder, 'ca.crt'))
    return { server: `https://${formatEndpoint(host, port)}`, token, tls: { ca } }
  })
}
