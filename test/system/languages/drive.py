import sys

entitlements = service = None
for line in sys.stdin:
    command, *words = json.loads(line)
    if command == "start":
        service = Service(*words)
        entitlements = Entitlements(service)
        answer = True
    elif command == "check":
        answer = entitlements.check(*words)
    elif command == "every":
        answer = [each["subscriber_id"] for each in every(service, "/org/subscribers", "subscribers", "subscriber_id")]
    elif command == "asking":
        answer = len(entitlements.asking)
    elif command == "verify":
        secret, headers, body = words
        answer = is_genuine(secret, headers, body.encode())
    print(json.dumps(answer), flush=True)
