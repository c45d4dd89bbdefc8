package main

import (
	"bufio"
	"encoding/json"
	"net/http"
	"os"
	"reflect"

	"example.org/guide/entitlements"
)

func main() {
	var service entitlements.Service
	var client *entitlements.Client
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var words []any
		if err := json.Unmarshal(lines.Bytes(), &words); err != nil {
			panic(err)
		}
		var answer any = true
		switch words[0] {
		case "start":
			service = entitlements.Service{BaseURL: words[1].(string), Key: words[2].(string)}
			client = entitlements.New(service)
		case "check":
			found := client.Check(words[1].(string), words[2].(string))
			answer = map[string]any{"allowed": found.Allowed, "limit": found.Limit, "value": found.Value}
		case "every":
			ids := []any{}
			err := service.Every("/org/subscribers", "subscribers", "subscriber_id", func(item map[string]any) {
				ids = append(ids, item["subscriber_id"])
			})
			if err != nil {
				panic(err)
			}
			answer = ids
		case "asking":
			answer = reflect.ValueOf(client).Elem().FieldByName("asking").Len()
		case "verify":
			headers := http.Header{}
			for name, value := range words[2].(map[string]any) {
				headers.Set(name, value.(string))
			}
			answer = entitlements.IsGenuine(words[1].(string), headers, []byte(words[3].(string)))
		}
		if err := json.NewEncoder(os.Stdout).Encode(answer); err != nil {
			panic(err)
		}
	}
}
