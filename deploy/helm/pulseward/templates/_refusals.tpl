{{/* templates/_refusals.tpl: values that cannot go together, each told in a sentence with what to do. All of them are told
at once, and nothing is rendered. Secret values are never quoted. */}}

{{- define "pulseward.refuse" -}}
{{- $wrong := list -}}
{{- with .Values -}}
{{- if and (gt (int .replicas) 1) (not .store.postgres.url) -}}
{{- $wrong = append $wrong (printf "replicas is %d, but without store.postgres.url only 1 (or 0, to stop the service) is possible: the store belongs to one process, and two services would check, recover and notify twice. Set replicas to 1, or name a PostgreSQL." (int .replicas)) -}}
{{- end -}}
{{- if and (gt (int .replicas) 1) (eq (dig "edition" "" .settings) "next") (not .sharedFiles.existingSecret) -}}
{{- $wrong = append $wrong (printf "replicas is %d in the edition next, whose pods must have the same key of credentials and the same principals. Name a Secret with both as sharedFiles.existingSecret." (int .replicas)) -}}
{{- end -}}
{{- if and .sharedFiles.existingSecret .credentialsKey.separateVolume -}}
{{- $wrong = append $wrong "sharedFiles.existingSecret and credentialsKey.separateVolume are both set. Leave one of them out." -}}
{{- end -}}
{{- if and .store.postgres.url (not (regexMatch "^postgres(ql)?://[^\\s]+$" .store.postgres.url)) -}}
{{- $wrong = append $wrong "store.postgres.url must be of the form postgres://USER@HOST/DATABASE." -}}
{{- else if regexMatch "^[a-z]+://[^/@]*:[^/@]*@" .store.postgres.url -}}
{{- $wrong = append $wrong "store.postgres.url has a password. Put it into a Secret, and name that as store.postgres.existingSecret." -}}
{{- end -}}
{{- if and .store.postgres.existingSecret (not .store.postgres.url) -}}
{{- $wrong = append $wrong "store.postgres.existingSecret needs store.postgres.url. Say where the PostgreSQL is." -}}
{{- end -}}
{{- if regexMatch "^postgres(ql)?://" (dig "store" "" .settings) -}}
{{- $wrong = append $wrong "settings.store names a PostgreSQL. Set store.postgres.url instead." -}}
{{- else if and .store.postgres.url (dig "store" "" .settings) -}}
{{- $wrong = append $wrong "settings.store and store.postgres.url are both set. Leave one of them out." -}}
{{- end -}}
{{- if and .token.value .token.existingSecret -}}
{{- $wrong = append $wrong "token.value and token.existingSecret are both set. Leave one of them out." -}}
{{- end -}}
{{- if and .token.value (or (not (regexMatch "^[!-~]{16,}$" .token.value)) (gt (len .token.value) 4096)) -}}
{{- $wrong = append $wrong "token.value must be one line of 16 to 4096 visible ASCII characters. Make one with openssl rand -hex 32." -}}
{{- end -}}
{{- if gt (len (compact (list (keys .fleet.files | join " ") .fleet.existingConfigMap .fleet.existingSecret))) 1 -}}
{{- $wrong = append $wrong "More than one of fleet.files, fleet.existingConfigMap and fleet.existingSecret is set. Leave one of them." -}}
{{- end -}}
{{- if and .credentialsKey.separateVolume (not .persistence.enabled) -}}
{{- $wrong = append $wrong "credentialsKey.separateVolume keeps the key of a store that persistence.enabled=false forgets. Set persistence.enabled to true, or leave the volume out." -}}
{{- end -}}
{{- if and .ingress.enabled (not .ingress.host) -}}
{{- $wrong = append $wrong "ingress.enabled needs ingress.host. Name the host." -}}
{{- end -}}
{{- if and .networkPolicy.enabled (not .networkPolicy.from) -}}
{{- if .ingress.enabled -}}
{{- $wrong = append $wrong "ingress.enabled needs networkPolicy.from, or the controller cannot connect. Name its pods and those of the namespace that may connect, or set networkPolicy.enabled to false." -}}
{{- end -}}
{{- if .serviceMonitor.enabled -}}
{{- $wrong = append $wrong "serviceMonitor.enabled needs networkPolicy.from, or Prometheus cannot connect. Name its pods and those of the namespace that may connect, or set networkPolicy.enabled to false." -}}
{{- end -}}
{{- end -}}
{{- if and .networkPolicy.enabled (not .networkPolicy.from) (ne .service.type "ClusterIP") -}}
{{- $wrong = append $wrong (printf "service.type %s needs networkPolicy.from, or nothing outside of the namespace can connect. Name who may connect, or set networkPolicy.enabled to false." .service.type) -}}
{{- end -}}
{{- if gt (len (values .fleet.files | join "")) 1048576 -}}
{{- $wrong = append $wrong "fleet.files hold more than 1 MiB, the most that a ConfigMap takes. Split the fleet over several releases, or keep it in the store of the edition next." -}}
{{- end -}}
{{- $ours := "^(app\\.kubernetes\\.io/(name|instance|version|managed-by)|helm\\.sh/chart|pulseward/.*)$" -}}
{{- range $path, $names := dict "podLabels" .podLabels "podAnnotations" .podAnnotations "serviceMonitor.labels" .serviceMonitor.labels "prometheusRule.labels" .prometheusRule.labels "grafanaDashboard.labels" .grafanaDashboard.labels -}}
{{- range $name := keys ($names | default dict) | sortAlpha -}}
{{- if regexMatch $ours $name -}}
{{- $wrong = append $wrong (printf "%s has %s, which the chart sets itself. Leave it out." $path $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range .kubernetesRecovery.workloads -}}
{{- if and (eq (.kind | default "deployment") "daemonset") (has "scale" (.actions | default list)) -}}
{{- $wrong = append $wrong (printf "kubernetesRecovery.workloads: the daemonset %s/%s has no replicas to scale. Leave the action scale out." .namespace .name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if $wrong -}}
{{- fail (printf "\n\nThe values have %s; nothing was changed.\n- %s\n" (ternary "a mistake" (printf "%d mistakes" (len $wrong)) (eq (len $wrong) 1)) (join "\n- " $wrong)) -}}
{{- end -}}
{{- end -}}
