// v2/wire/notification.ts: who is notified. An endpoint is one destination, a group names several.
import { type Static, Type } from 'typebox'
import { DriverConfig } from './driver-config.ts'
import { ResourceStatus, resourceType } from './resource.ts'
import { identifier, listOf, wireType } from './wire-type.ts'

export const NotificationEndpoint = resourceType(
  'NotificationEndpoint',
  'One destination of notifications.',
  { spec: DriverConfig, status: ResourceStatus },
)
export const NotificationEndpointList = listOf('NotificationEndpointList', NotificationEndpoint)

export const NotificationGroupSpec = wireType('NotificationGroupSpec', 'Endpoints notified together.', {
  endpointRefs: Type.Array(identifier('An endpoint.'), {
    minItems: 1,
    maxItems: 256,
    description: 'Its endpoints.',
  }),
})

export const NotificationGroup = resourceType('NotificationGroup', 'Endpoints notified together.', {
  spec: NotificationGroupSpec,
  status: ResourceStatus,
})
export const NotificationGroupList = listOf('NotificationGroupList', NotificationGroup)

export type NotificationEndpoint = Static<typeof NotificationEndpoint>
export type NotificationEndpointList = Static<typeof NotificationEndpointList>
export type NotificationGroup = Static<typeof NotificationGroup>
export type NotificationGroupList = Static<typeof NotificationGroupList>
