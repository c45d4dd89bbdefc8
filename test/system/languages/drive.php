$entitlements = $service = null;
while (($line = fgets(STDIN)) !== false) {
    $words = json_decode($line, true);
    $command = array_shift($words);
    if ($command === 'start') {
        $service = new Service(...$words);
        $entitlements = new Entitlements($service);
    }
    $answer = match ($command) {
        'start' => true,
        'check' => $entitlements->check(...$words),
        'every' => array_column(
            iterator_to_array(every($service, '/org/subscribers', 'subscribers', 'subscriber_id'), false),
            'subscriber_id',
        ),
        'asking' => 0, // PHP keeps no records of running requests.
        'verify' => isGenuine($words[0], array_change_key_case($words[1]), $words[2]),
    };
    echo json_encode($answer), "\n";
}
