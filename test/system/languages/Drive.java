class Drive {
    public static void main(String[] arguments) throws Exception {
        var json = new ObjectMapper();
        Service service = null;
        Entitlements entitlements = null;
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = lines.readLine()) != null; ) {
            var words = json.readTree(line);
            Object answer = true;
            switch (words.get(0).asText()) {
                case "start" -> {
                    service = new Service(words.get(1).asText(), words.get(2).asText());
                    entitlements = new Entitlements(service);
                }
                case "check" -> answer = entitlements.check(words.get(1).asText(), words.get(2).asText());
                case "every" -> {
                    var ids = new ArrayList<String>();
                    Lists.every(service, "/org/subscribers", "subscribers", "subscriber_id", each -> ids.add(each.get("subscriber_id").asText()));
                    answer = ids;
                }
                case "asking" -> {
                    var field = Entitlements.class.getDeclaredField("asking");
                    field.setAccessible(true);
                    answer = ((Map<?, ?>) field.get(entitlements)).size();
                }
                case "verify" -> {
                    var headers = words.get(2);
                    answer = Webhook.isGenuine(
                        words.get(1).asText(),
                        headers.path("X-Service-Webhook-Timestamp").asText(),
                        headers.path("X-Service-Webhook-Signature").asText(),
                        words.get(3).asText().getBytes(StandardCharsets.UTF_8));
                }
            }
            System.out.println(json.writeValueAsString(answer));
        }
    }
}
