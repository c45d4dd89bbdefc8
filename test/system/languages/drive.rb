entitlements = service = nil
$stdout.sync = true
$stdin.each_line do |line|
  command, *words = JSON.parse(line)
  answer = case command
           when "start"
             service = Service.new(*words)
             entitlements = Entitlements.new(service)
             true
           when "check" then entitlements.check(*words)
           when "every"
             ids = []
             every(service, "/org/subscribers", "subscribers", "subscriber_id") { |each| ids << each["subscriber_id"] }
             ids
           when "asking" then entitlements.instance_variable_get(:@asking).size
           when "verify" then genuine?(*words)
           end
  puts JSON.generate(answer)
end
