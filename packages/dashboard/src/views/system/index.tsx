import { PageTitle } from '../../components/page-title.tsx'

export default function System() {
  return <PageTitle>System</PageTitle>
}
