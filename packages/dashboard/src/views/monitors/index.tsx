import { PageTitle } from '../../components/page-title.tsx'

export default function Monitors() {
  return <PageTitle>Monitors</PageTitle>
}
