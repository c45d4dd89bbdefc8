import { FeatureNamesDocument } from '../../generated/feature-names.ts'
import { useOrganizationQuery } from '../../session/queries.ts'
import { useMay } from '../../session/viewer.ts'
import { KeyText } from '../text/key-text.tsx'
import { shortenMiddle } from '../text/shorten.ts'
import classes from './feature-name.module.css'

/** The names of all features. */
function useFeatureNames() {
  return useOrganizationQuery(FeatureNamesDocument, {}, { enabled: useMay('features:read') })
}

/** Whether the names are still loading: a name that appeared later would move the content beside it. */
export function useIsLoadingFeatureNames(): boolean {
  const { isPending, isEnabled } = useFeatureNames()
  return isPending && isEnabled
}

/** Shows a feature's name with its key beside it, or only the key if the name is unknown or the same. */
export function FeatureName({ featureKey }: { featureKey: string }) {
  const features = useFeatureNames().data?.features
  const name = features?.find(({ key }) => key === featureKey)?.name
  if (name === undefined || name === featureKey) return <KeyText value={featureKey} />
  return (
    <>
      <span className={classes.name}>{shortenMiddle(name, 60)}</span>{' '}
      <span className={classes.key}>
        <KeyText value={featureKey} />
      </span>
    </>
  )
}
