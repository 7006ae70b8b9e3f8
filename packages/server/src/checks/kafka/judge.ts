// checks/kafka/judge.ts: whether a cluster is as the configuration wants it. The first thing that is not is the reason.
import { counted, quote } from '../../platform/wording.ts'
import { PeerFault } from '../driver/session.ts'
import type { Cluster, Topic } from './cluster.ts'

interface Wanted {
  readonly topic?: string
  readonly min_brokers?: number
  readonly min_in_sync_replicas?: number
}

const UNKNOWN_TOPIC = 3
const NO_LEADER = 5
const NOT_AUTHORIZED = 29

export function judgeCluster(cluster: Cluster, wanted: Wanted, peer: string): void {
  const { topic, min_brokers = 0, min_in_sync_replicas } = wanted
  if (cluster.brokers < min_brokers)
    throw new PeerFault(
      `the cluster of ${peer} has ${counted(cluster.brokers, 'broker')}, fewer than ${min_brokers}`,
    )
  if (topic !== undefined) judgeTopic(cluster.topics[0], quote(topic), min_in_sync_replicas)
}

function judgeTopic(topic: Topic | undefined, name: string, minInSync: number | undefined): void {
  if (topic === undefined || topic.error === UNKNOWN_TOPIC) throw new PeerFault(`there is no topic ${name}`)
  if (topic.error === NOT_AUTHORIZED) throw new PeerFault(`the user may not look at the topic ${name}`)
  if (topic.error !== 0 && topic.error !== NO_LEADER)
    throw new PeerFault(`the cluster cannot tell about the topic ${name} (error ${topic.error})`)
  const { partitions } = topic
  const leaderless = partitions.filter(({ leader }) => leader < 0).length
  if (leaderless > 0 || topic.error === NO_LEADER)
    throw new PeerFault(
      `${leaderless} of ${counted(partitions.length, 'partition')} of the topic ${name} have no leader`,
    )
  if (minInSync === undefined) return
  const lagging = partitions.filter(({ inSync }) => inSync < minInSync).length
  if (lagging === 0) return
  const replicas = counted(minInSync, 'replica')
  throw new PeerFault(
    `${lagging} of ${counted(partitions.length, 'partition')} of the topic ${name} have fewer than ${replicas} in sync`,
  )
}
