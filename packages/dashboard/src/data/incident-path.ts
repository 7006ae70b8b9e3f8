// data/incident-path.ts: the address of the page of an incident, which people share.
export function incidentPage(id: string): string {
  return `/incidents/${encodeURIComponent(id)}`
}
