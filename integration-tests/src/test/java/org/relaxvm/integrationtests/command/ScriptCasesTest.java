package org.relaxvm.integrationtests.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.integrationtests.golden.Golden;

/** {@code relaxvm check} for scripts that were recorded in Apache TVM. */
class ScriptCasesTest {
  /** What scripts need that is not there, by the function whose family it is. */
  private static final Map<String, String> MISSING =
      Map.of(
          "llama-f32", "vm.builtin.kv_state_begin_forward",
          "llama-sliding", "vm.builtin.kv_state_begin_forward",
          "paged_fork_sequence_kv_cache_and_config0", "vm.builtin.paged_attention_kv_cache_create",
          "paged_popn_kv_cache_and_config0", "vm.builtin.paged_attention_kv_cache_create",
          "paged_prefill_and_decode_kv_cache_and_config0",
              "vm.builtin.paged_attention_kv_cache_create",
          "rnn-state", "vm.builtin.rnn_state_get",
          "sampling", "vm.builtin.sample_top_p_from_prob",
          "test_attention_kv_cache", "vm.builtin.attention_kv_cache_create",
          "test_attention_kv_cache_window_override", "vm.builtin.attention_kv_cache_create");

  private static final List<String> AGREEING =
      List.of("closures", "test_check_shape_info", "test_make_shape", "test_match_shape");

  @TempDir private Path folder;

  /** Scripts with a result that differs, with the reason; none is known. */
  private static final Map<String, String> DIFFERING = Map.of();

  @Test
  void recordedScriptsAgree() throws IOException {
    Path scripts = Golden.require("scripts");
    CommandRun run = CommandRun.of("check", scripts, "--json");
    Map<String, Object> json = JSON.std.mapFrom(run.out());
    Map<String, String> skipped = new LinkedHashMap<>();
    Map<String, String> failed = new LinkedHashMap<>();
    int agreeing = 0;
    for (Object row : (List<?>) Objects.requireNonNull(json.get("runs"))) {
      Map<?, ?> fields = (Map<?, ?>) row;
      String name = String.valueOf(fields.get("case"));
      if (Boolean.TRUE.equals(fields.get("passed"))) {
        agreeing++;
      } else {
        boolean isSkipped = Boolean.TRUE.equals(fields.get("unsupported"));
        (isSkipped ? skipped : failed).put(name, String.valueOf(fields.get("reason")));
      }
    }
    assertThat(failed).isEqualTo(DIFFERING);
    assertThat(skipped.keySet()).isEqualTo(MISSING.keySet());
    MISSING.forEach((name, function) -> assertThat(skipped.get(name)).contains(function));
    assertThat(agreeing).isEqualTo(AGREEING.size());
    assertThat(json)
        .containsEntry("passed", AGREEING.size())
        .containsEntry("failed", 0)
        .containsEntry("unsupported", MISSING.size());
  }

  private Path script(String name, String steps) throws IOException {
    Path script = Files.createDirectories(folder.resolve(name));
    Files.writeString(
        script.resolve("script.json"),
        "{\"note\": \"a test\", \"device\": \"cpu\", \"steps\": [" + steps + "]}");
    return script;
  }

  @Test
  void aFolderOfScriptsIsCountedByAgreement() throws IOException {
    script(
        "agrees",
"""
        {"global": "vm.builtin.make_tuple", "args": [{"value": 1}, {"string": "a"}],
         "result": {"object": "o0"}},
        {"global": "vm.builtin.tuple_getitem", "args": [{"object": "o0"}, {"value": 1}],
         "result": {"string": "a"}},
        {"global": "vm.builtin.check_tuple_info", "args": [{"object": "o0"}, {"value": 3},
         {"string": ""}],
         "error": {"kind": "ValueError", "message": "Check failed: (a == b) is false:  expect a \
Tuple with 3 elements,  but get a Tuple with 2 elements."}},
        {"too_big": true}
""");
    script(
        "differs",
        """
        {"global": "vm.builtin.copy", "args": [{"value": 1}], "result": {"value": 1}},
        {"global": "vm.builtin.copy", "args": [{"value": 1}], "result": {"value": 2}}
        """);
    script(
        "unsupported",
        """
        {"global": "vm.builtin.copy", "args": [{"global": "no.such"}], "result": {"null": true}},
        {"global": "also.missing", "args": [], "result": {"null": true}}
        """);
    script("kernels", "{\"global\": \"vm.builtin.copy\", \"args\": [{\"kernel\": \"f\"}]}");
    script("host", "{\"global\": \"vm.builtin.copy\", \"args\": [{\"host_function\": \"f\"}]}");
    script(
        "nothing",
        """
        {"global": "vm.builtin.copy", "args": [{"unsupported": "T"}], "result": {"object": "o0"}},
        {"global": "vm.builtin.copy", "args": [{"object": "o0"}], "result": {"object": "o0"}}
        """);
    CommandRun run = CommandRun.of("check", folder);
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .isEqualTo(
            """
            ok    agrees run 0 script of 3 steps
            FAIL  differs run 0 script of 2 steps: step 1, global vm.builtin.copy: result: \
            expected 2, but got 1
            skip  host run 0 script of 1 step: it passes functions of the host language
            skip  kernels run 0 script of 1 step: it passes kernels of a library as values
            skip  nothing run 0 script of 2 steps: none of its steps can be run from a file
            skip  unsupported run 0 script of 2 steps: no functions also.missing, no.such
            1 passed, 1 failed, 4 unsupported
            """);
    assertThat(run.code()).isEqualTo(1);
  }

  @Test
  void argumentsThatACallChangesAreCompared() throws IOException {
    String step =
        """
        {"global": "vm.builtin.store_shape",
         "args": [{"shape": [4, 5]}, {"zeros": {"dtype": "int64", "shape": [2]}}, {"value": 1},
                  {"value": 0}],
         "result": {"null": true},
         "after": {"1": {"zeros": {"dtype": "int64", "shape": [2]}}}}
        """;
    script("after", step);
    assertThat(CommandRun.of("check", folder).out())
        .startsWith(
            "FAIL  after run 0 script of 1 step: step 0, global vm.builtin.store_shape: after the"
                + " call, argument 1: result: element 0: expected 0, but got 5\n");
  }

  @Test
  void aFolderWithoutCasesIsRefusedWithWhatCasesAre() {
    assertThat(CommandRun.of("check", folder).err())
        .isEqualTo(
            "relaxvm: error: no case in '"
                + folder
                + "'\n"
                + "  cases are:\n"
                + "    case: a folder with case.json, a program and tensor files\n"
                + "    onnx: a folder with model.onnx and test_data_set_0, or a zip archive of such"
                + " folders\n"
                + "    script: a folder with script.json, or a .tar.gz archive of such folders\n");
    Path missing = folder.resolve("missing");
    assertThat(CommandRun.of("check", missing).err())
        .startsWith("relaxvm: error: no file or directory '" + missing + "'\n");
  }
}
