// Command histories reads a history, one JSON object a line, and decides with Porcupine whether an order of the calls exists that
// explains all answers: each call took place at one moment between its start and its end. Every key has a history of its own.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"sort"
	"time"

	"github.com/anishathalye/porcupine"
)

// call is one call as its client saw it. Result is ok, refused or unknown (no answer, or 503: it may have taken place or not).
type call struct {
	Key    string `json:"key"`
	Model  string `json:"model"`
	Op     string `json:"op"`
	Arg    string `json:"arg"`
	Result string `json:"result"`
	Value  string `json:"value"`
	Start  int64  `json:"start"`
	End    int64  `json:"end"`
}

// A code is spent once: the state says whether it is. A code that several requests send at once may be refused to all of them,
// because its second use ends what the first was given (RFC 6749 section 4.1.2); it is spent then, too.
func stepCode(state, input any) []any {
	spent, c := state.(bool), input.(call)
	switch c.Result {
	case "ok":
		if spent {
			return nil
		}
		return []any{true}
	case "refused":
		return []any{true}
	default:
		return []any{spent, true}
	}
}

// family is a refresh token with its successors. The empty token is one that its client has never received.
type family struct {
	current string
	ended   bool
}

// Each refresh token has one successor. A second use, also of a code or of a token of another family, ends all families of the
// session (decision 0035), so a refusal is possible at any time; for the current token it is the end.
func stepFamily(state, input any) []any {
	f, c := state.(family), input.(call)
	isCurrent := !f.ended && f.current == c.Arg
	switch c.Result {
	case "ok":
		if !isCurrent {
			return nil
		}
		return []any{family{current: c.Value}}
	case "refused":
		if isCurrent {
			return []any{family{ended: true}}
		}
		return []any{f, family{ended: true}}
	default:
		if isCurrent {
			return []any{f, family{current: ""}}
		}
		return []any{f, family{ended: true}}
	}
}

// A session or token is active until it is ended, and never again: the state says whether it is.
func stepLife(state, input any) []any {
	active, c := state.(bool), input.(call)
	if c.Op == "read" {
		if c.Result == "unknown" || (c.Value == "active") == active {
			return []any{active}
		}
		return nil
	}
	if c.Result == "unknown" {
		return []any{active, false}
	}
	return []any{false}
}

func model(name, firstToken string) porcupine.Model {
	states := map[string]any{"code": false, "family": family{current: firstToken}, "life": true}
	steps := map[string]func(state, input any) []any{"code": stepCode, "family": stepFamily, "life": stepLife}
	nondeterministic := porcupine.NondeterministicModel{
		Init: func() []any { return []any{states[name]} },
		Step: func(state, input, _ any) []any { return steps[name](state, input) },
	}
	return nondeterministic.ToModel()
}

func main() {
	file, err := os.Open(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	histories := map[string][]call{}
	total, unknown := 0, 0
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c call
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		total++
		if c.Result == "unknown" {
			unknown++
			// It may take place at any later time.
			c.End = math.MaxInt64
		}
		histories[c.Key] = append(histories[c.Key], c)
	}
	illegal, undecided := []string{}, 0
	for key, calls := range histories {
		sort.Slice(calls, func(i, j int) bool { return calls[i].Start < calls[j].Start })
		operations := make([]porcupine.Operation, len(calls))
		for i, c := range calls {
			operations[i] = porcupine.Operation{ClientId: i, Input: c, Call: c.Start, Return: c.End}
		}
		switch porcupine.CheckOperationsTimeout(model(calls[0].Model, calls[0].Arg), operations, 20*time.Second) {
		case porcupine.Illegal:
			illegal = append(illegal, key)
		case porcupine.Unknown:
			undecided++
		}
	}
	sort.Strings(illegal)
	for i, key := range illegal {
		if i == 3 {
			break
		}
		for _, c := range histories[key] {
			line, _ := json.Marshal(c)
			fmt.Fprintln(os.Stderr, string(line))
		}
	}
	counts := map[string]int{
		"calls": total, "unknown": unknown, "histories": len(histories), "illegal": len(illegal), "undecided": undecided,
	}
	for _, key := range illegal {
		counts["illegal_"+histories[key][0].Model]++
	}
	result, _ := json.Marshal(counts)
	fmt.Println(string(result))
	if len(illegal) > 0 || undecided > 0 {
		os.Exit(1)
	}
}
