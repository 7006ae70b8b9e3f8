// conformance/v1.ts: what is decided about v1 where the interface leaves it open.
import { held, type Section } from './requirement.ts'

export const v1Sections: readonly Section[] = [
  {
    title: 'Editions',
    requirements: [
      held(
        'Each edition documents exactly what it serves',
        'server/editions/v1-answers: serves the operations that its OpenAPI document names, and no others',
        'server/editions/next-v1-answers: has an OpenAPI document with its operations of both versions, and none that needs external jobs',
      ),
      held(
        'Next adds to v1 what the page names, and tells nothing of resources there',
        'server/editions/next-v1-answers: answers %s as the contract of next says',
        'server/editions/next-v1-answers: tells nothing of resources in its history, and its pages are full nevertheless',
      ),
      held('Candidate has no index cap', 'server/editions/readiness: does not exist in candidate'),
      held('Main answers 404 for state, history and SLO', 'server/editions/v1-answers: does not serve %s'),
    ],
  },
  {
    title: 'General HTTP rules',
    requirements: [
      held(
        'JSON with its charset, snake_case, times in UTC with milliseconds, null for what is missing',
        'server/editions/v1-answers: answers %s as the contract says',
        'contract/v1/schemas: know only times in UTC with milliseconds',
        'server/editions/v1-answers: is answered as the contract says in %s',
      ),
      held(
        'Errors are problem documents with a stable code and the request id',
        'api/server: answers the problem that it threw',
        'api/server: keeps the words of an unforeseen error to the log',
        'contract/v1/operations: use every code of the catalogue, except those for paths that are not an operation',
      ),
      held(
        'X-Request-ID on every answer; a proper one is kept',
        'api/server: keeps a proper request id and makes another for any other',
      ),
      held(
        'Without a token a request for another host name is 421, before all else',
        'api/host-check: is misdirected before all else at %s',
        'api/host-check: answers to the hosts of listen and public_url, and to allowed hosts, in any case and form',
        'api/host-check: is judged by every host that it names when its target is a whole URL',
      ),
      held(
        'Order of checks: 421, 401, 404, 405, 400, 503',
        'api/host-check: is misdirected before all else at %s',
        'api/limits: are refused after what is wrong with them',
        'api/server: everything for machines is protected (%s)',
      ),
      held(
        'Other methods are 405 with Allow; HEAD is GET without a body',
        'api/server: refuses %s on a route, whatever it carries',
        'server/editions/v1-answers: answers HEAD for %s as GET without a body',
        'api/compression: has the same headers for HEAD, and no body',
      ),
      held(
        'Unknown API paths are 404 problems',
        'api/server: has nothing at %s',
        'api/assets: never stands in for the API (%s)',
      ),
      held(
        'Other unknown paths: the page for a browser, 404 for anything else',
        'api/assets: opens at %s',
        'api/assets: has nothing at %s for anybody but a browser that opens an address',
      ),
      held(
        'no-store on the API, immutable assets, ETag and 304 on the page',
        'api/server: sends its headers with every answer (%s)',
        'api/assets: gives files whose names change with their content away for good',
        'api/assets: answers 304 to who has %s already',
      ),
      held(
        'Compression by negotiation above 1 KiB: br, gzip, zstd',
        'api/compression: comes as %s when that is asked for',
        'api/compression: is compressed from one byte above the limit on',
        'api/compression: that has an entity tag has another one for each encoding, and knows all of them again',
      ),
      held(
        'Security headers; no inline scripts',
        'api/server: sends its headers with every answer (%s)',
        'api/assets: lets no script but its own run',
      ),
      held(
        'CORS: off; named origins may read; their OPTIONS is 204',
        'api/cors: gets no leave where no origin is named',
        'api/cors: reads what it brings the token for, when its origin is named',
        'api/cors: may ask first, without a token, and hears of reading alone',
        'api/cors: of an origin that is not named gets no leave (%s)',
      ),
      held(
        'More than the configured requests at once: 503 with Retry-After; health and readiness answer',
        'api/limits: are told to come back, while health and readiness still answer',
        'api/limits: get their permits back from clients that leave, also in the middle of a pipeline',
      ),
      held(
        'Clients that do not read are cut off, in bounded memory',
        'api/limits: is cut off after a time and gives its permit back',
        'api/limits: is cut off first when unread answers need too much memory',
      ),
      held(
        'HTTPS by itself, TLS 1.2 at least; a bad certificate or key stops the start',
        'api/https: speaks HTTPS with it',
        'api/https: refuses what is older than TLS 1.2',
        'server/config/settings/server-identity: stop the start with one sentence that shows nothing of them',
      ),
      held(
        'Whatever comes, no 5xx but the documented 503, and no secret',
        'api/fuzz: next gives 500 hostile requests no 5xx, no secret and no silence',
        'api/hostile-requests: is refused with a problem',
      ),
    ],
  },
  {
    title: 'Authentication',
    requirements: [
      held(
        'The file beats the variable; one that gives no token stops the start',
        'server/config/settings/token: comes from the file when there are both',
        'server/config/settings/token: stops the start when its file cannot give one, also beside a variable',
      ),
      held(
        'Every path is protected; the challenge is Bearer for machines and Basic for pages',
        'server/app: lets nobody in without the token, on any path, and shows it to nobody',
        'api/authentication: asks machines for a token at %s',
        'api/assets: asks for a login when there is a token',
      ),
      held(
        'Missing credentials are not an attempt; wrong ones wait from the tenth per minute',
        'api/authentication: does not count a request without credentials as a guess',
        'api/authentication: delays wrong guesses from the tenth in a minute, ever longer, up to a second',
        'api/limits: gets one answer a connection once its guesses are delayed, however many it sends',
      ),
      held(
        'A right token is never delayed or refused',
        'api/authentication: never delays a right token, whoever failed before',
        'api/server: guesses wait from the tenth, and a right token overtakes them',
      ),
      held(
        'Forwarding headers are believed only from configured proxies',
        'api/client-address: is never anything but the peer without configured proxies',
        'api/client-address: is never chosen by what a client writes before the entry of the last proxy',
        'api/limits: is told apart from others behind the same proxy, and only there',
      ),
    ],
  },
  {
    title: 'Parameters',
    requirements: [
      held(
        'Not a whole number, or below 1: 400 that names the parameter',
        'server/editions/v1-answers: refuses %j for a number, and names the parameter',
      ),
      held(
        'A parameter that stands twice is 400; unknown ones are ignored',
        'server/editions/v1-answers: refuses a parameter that stands twice, also with the same value, and ignores unknown ones',
      ),
      held(
        'A page past the end is empty',
        'server/editions/v1-answers: has an empty page for what no monitor has (%s)',
      ),
      held(
        'A monitor number that is not a uint32 is 400, one that no monitor has is 404',
        'server/editions/v1-answers: refuses %j for the number of a monitor',
        'server/editions/v1-answers: has no monitor of a number that nobody has',
      ),
    ],
  },
  {
    title: 'Bodies',
    requirements: [
      held(
        'Every field is described, and no other is sent',
        'server/editions/v1-answers: answers %s as the contract says',
      ),
      held(
        'Readiness says why not, in plain JSON',
        'api/server: answers plain JSON when readiness says no',
        'server/editions/readiness: says all reasons at once',
      ),
      held(
        'projection_fresh: all that was committed up to 30 seconds ago is shown',
        'server/editions/readiness: ends when a change of the fleet has not been taken in for more than 30 seconds',
      ),
      held(
        'The overview has every status; disabled monitors count and are in no percentage',
        'server/editions/v1-answers: counts disabled monitors, and leaves them out of percentages',
        'server/projection/overview: has no percentage while nothing is known',
      ),
      held(
        'The overview counts open incidents, also of monitors that are verifying',
        'server/projection/overview: counts an open incident also while its monitor is verifying',
      ),
      held(
        'Stale data says so in overview, lists, detail, map and event stream',
        'server/editions/stale: is of the time at which decisions could not be stored any more',
        'server/editions/stale: is of the last snapshot, once it is older than 30 seconds',
        'server/storage-failure: stops checks and actions, is told, and is over by itself when there is space',
        'page/stale: is called so on every view, and no longer when it is fresh again',
      ),
      held(
        'Every stage of the controller is in systems',
        'server/editions/v1-answers: shows every stage of the controller, and that the projection makes progress',
      ),
      held(
        'coverage_complete only after a whole window was watched',
        'server/slo/slo-window: of a service that begins is complete only after it has watched a whole window',
      ),
      held(
        'Incidents by their opening, with the last action and what they suppress',
        'server/editions/v1-answers: shows open incidents with what was done, oldest first',
      ),
      held(
        'Order of the list: code points of the name, then id',
        'server/editions/v1-answers: lists every monitor once over its pages, in order of names',
      ),
      held(
        'A bad or foreign cursor is 400, one that retention has passed 410',
        'api/routes/history: refuses a cursor of another list and a garbled one',
        'api/routes/history: refuses a cursor of another store, whether its log is longer or shorter',
        'api/routes/history: refuses a cursor of which any character was changed',
        'api/routes/history: says when what comes next has been forgotten',
      ),
    ],
  },
  {
    title: 'Metrics',
    requirements: [
      held(
        'Text 0.0.4, and OpenMetrics when asked for',
        'server/projection/metrics: come in the form that is asked for, and both say the same',
      ),
      held('The families of the contract', 'server/projection/metrics: have the families of the contract'),
      held(
        'Counters of every configured driver exist with 0 from the start',
        'server/projection/metrics: have the counters of every configured driver with 0 from the start, and of no other',
      ),
      held(
        'Readiness, reloads, incidents, destinations and descriptors',
        'server/projection/metrics: say whether the service is ready',
        'server/projection/metrics: say in which state each destination is, and in which it is not',
        'server/projection/metrics: say how many incidents are open, how the fleet was last read, and how many descriptors there are',
      ),
      held(
        'Without data the families of monitors are absent',
        'server/projection/metrics: say nothing of monitors while nothing is known of them, never 0',
      ),
      held(
        'Aggregates only',
        'server/projection/metrics: are at most 200 series, however many monitors there are, and name none of them',
      ),
      held(
        'Series of single monitors by a selector, at most 10,000',
        'server/projection/per-monitor-series: say how the last check of each selected monitor ended and how long it took',
        'server/projection/per-monitor-series: lets the lowest ids have series, says how many have none, and warns each time that it begins',
        'server/per-monitor-metrics: starts all the same, and says how many have no series',
      ),
    ],
  },
  {
    title: 'Dashboard and additions',
    requirements: [
      held(
        'Views, addresses, appearance and refreshing',
        'page/finding: shows results as one types, and the link of them shows the same',
        'page/finding: goes to any page at once, and says that a page is past the end',
        'page/changes: a monitor fails and recovers on screen (%s)',
        'page/changes: a service that stops is said to be lost, what was read stays with its age, and it comes back',
        'page/changes: a fleet over the cap has an overview but no list, and is not shown as empty',
      ),
      held(
        'The OpenAPI document of the edition',
        'server/editions/v1-answers: documents itself as the generated document does',
        'contract/openapi-validity: the document of %s is OpenAPI 3.1',
      ),
      held(
        'Events resume, and are bounded for each client',
        'api/event-hub: goes on after the event that a client has seen last',
        'api/event-hub: holds a bound for a client that does not read, and tells it to start over',
      ),
      held(
        'The map has the filters of the list and a strong ETag',
        'server/editions/v1-answers: draws every monitor on the map, and says when nothing is new',
      ),
      held(
        'Trends of a monitor and of the fleet in candidate and next, 404 in main; what is not known is null',
        'server/editions/trend: tell what was counted in each cell, and which incidents there were',
        'server/editions/trend: show an incident that is open without an end, and no latency where nothing was healthy',
        'server/editions/trend: are unknown before anything was counted, and where trends are off',
        'server/editions/trend: refuse a window that there is not, and have no monitor that nobody knows',
        'server/editions/trend: are unavailable, and not empty, when the store cannot be read',
        'server/projection/trend-views: not when a cell is missing, at either end or between',
        'server/editions/v1-answers: does not serve %s',
      ),
      held(
        'A sample is in a trend once, wherever a process was killed',
        'server/editions/trend: count nothing twice and lose nothing that was shown when the process is killed',
        'server/persistence/trend-recorder.property: trends that are %s have every sample once that was committed, and no other, wherever a process was killed',
      ),
    ],
  },
]
