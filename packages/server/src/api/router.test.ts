import { describe, expect, it } from 'vitest'
import { readTarget } from './request-path.ts'
import { type Endpoint, Router } from './router.ts'

const endpoint: Endpoint = () => {}

function routerOf(...routes: [method: string, path: string][]): Router {
  const router = new Router()
  for (const [method, path] of routes) router.add(method, path, endpoint)
  return router
}

/** What a path leads to: the methods and the parameters. */
function at(router: Router, path: string): { methods: string[]; parameters: object } | null {
  const { segments } = readTarget(path)
  const place = segments && router.find(segments)
  return place && { methods: place.methods, parameters: place.parametersIn(segments) }
}

describe('the router', () => {
  const router = routerOf(
    ['GET', '/items'],
    ['POST', '/items'],
    ['GET', '/items/{id}'],
    ['DELETE', '/items/{id}'],
    ['GET', '/items/new'],
    ['GET', '/items/{id}/parts/{part}'],
    ['GET', '/items/new/parts'],
  )

  it('finds all methods of a path', () => {
    expect(at(router, '/items')).toEqual({ methods: ['GET', 'POST'], parameters: {} })
    expect(at(router, '/items/7')).toEqual({ methods: ['GET', 'DELETE'], parameters: { id: '7' } })
    expect(at(router, '/items/7/parts/x')?.parameters).toEqual({ id: '7', part: 'x' })
  })

  it('prefers what is fixed, and turns back where that leads nowhere', () => {
    expect(at(router, '/items/new')).toEqual({ methods: ['GET'], parameters: {} })
    expect(at(router, '/items/new/parts')?.parameters).toEqual({})
    expect(at(router, '/items/new/parts/x')?.parameters).toEqual({ id: 'new', part: 'x' })
  })

  it('takes an encoded slash for a part of the parameter, and decodes once', () => {
    expect(at(router, '/items/a%2Fb')?.parameters).toEqual({ id: 'a/b' })
    expect(at(router, '/items/a%252Fb')?.parameters).toEqual({ id: 'a%2Fb' })
    expect(at(router, '/%69tems')?.methods).toEqual(['GET', 'POST'])
    expect(at(router, '/items%2F7')).toBeNull()
  })

  it.each(['', '/', 'items', '*items', '//items', '/items//', '/Items', '/items/7/', '/items/7/parts', '/x'])(
    'has nothing at %j',
    (path) => expect(at(router, path)).toBeNull(),
  )

  it('answers HEAD where there is GET, and nowhere else', () => {
    const place = routerOf(['GET', '/both'], ['POST', '/post']).find(['', 'both'])
    expect(place?.endpointFor('HEAD')).toBe(endpoint)
    expect(place?.endpointFor('POST')).toBeUndefined()
    expect(routerOf(['POST', '/post']).find(['', 'post'])?.endpointFor('HEAD')).toBeUndefined()
  })
})
