// config/local-place.ts: the name of the location that is the service itself.

export const localPlace = 'local'
