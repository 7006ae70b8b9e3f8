import { PageTitle } from '../../components/page-title.tsx'

export default function Alerts() {
  return <PageTitle>Alerts</PageTitle>
}
