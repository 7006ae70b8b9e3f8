import { PageTitle } from '../../components/page-title.tsx'

export default function Monitor({ id }: { readonly id: string }) {
  return <PageTitle>{`Monitor ${id}`}</PageTitle>
}
