package org.relaxvm.backendvulkan.kernels;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Words of GLSL 4.60: those that mean something already, and those that need an extension. */
final class GlslWords {
  private static final String KEYWORDS =
      "const uniform buffer shared attribute varying coherent volatile restrict readonly writeonly"
          + " atomic_uint layout centroid flat smooth noperspective patch sample invariant precise"
          + " break continue do for while switch case default if else subroutine in out inout int"
          + " void bool true false float double discard return lowp mediump highp precision struct"
          + " uint common partition active asm class union enum typedef template this resource"
          + " goto inline noinline public static extern external interface long short half fixed"
          + " unsigned superp input output filter sizeof cast namespace using main demote"
          + " terminateInvocation nonuniformEXT rayQueryEXT accelerationStructureEXT"
          + " devicecoherent queuefamilycoherent workgroupcoherent subgroupcoherent nonprivate"
          + " spirv_instruction spirv_execution_mode spirv_decorate spirv_type spirv_literal"
          + " int8_t uint8_t int16_t uint16_t int32_t uint32_t int64_t uint64_t float16_t"
          + " float32_t float64_t hvec2 hvec3 hvec4 fvec2 fvec3 fvec4";

  private static final String FUNCTIONS =
      "radians degrees sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh pow exp log"
          + " exp2 log2 sqrt inversesqrt abs sign floor trunc round roundEven ceil fract mod modf"
          + " min max clamp mix step smoothstep isnan isinf floatBitsToInt floatBitsToUint"
          + " intBitsToFloat uintBitsToFloat fma frexp ldexp packUnorm2x16 packSnorm2x16"
          + " packUnorm4x8 packSnorm4x8 unpackUnorm2x16 unpackSnorm2x16 unpackUnorm4x8"
          + " unpackSnorm4x8 packHalf2x16 unpackHalf2x16 packDouble2x32 unpackDouble2x32"
          + " doubleBitsToInt64 doubleBitsToUint64 int64BitsToDouble uint64BitsToDouble"
          + " packInt2x32 packUint2x32 unpackInt2x32 unpackUint2x32 pack16 pack32 pack64 unpack8"
          + " unpack16 unpack32 length distance dot cross normalize ftransform faceforward reflect"
          + " refract matrixCompMult outerProduct transpose determinant inverse lessThan"
          + " lessThanEqual greaterThan greaterThanEqual equal notEqual any all not uaddCarry"
          + " usubBorrow umulExtended imulExtended bitfieldExtract bitfieldInsert bitfieldReverse"
          + " bitCount findLSB findMSB texture textureSize textureLod textureOffset texelFetch"
          + " textureProj textureGrad textureGather textureQueryLod textureQueryLevels"
          + " textureSamples interpolateAtCentroid interpolateAtSample interpolateAtOffset noise1"
          + " noise2 noise3 noise4 EmitVertex EndPrimitive EmitStreamVertex EndStreamPrimitive"
          + " barrier controlBarrier memoryBarrier memoryBarrierAtomicCounter memoryBarrierBuffer"
          + " memoryBarrierShared memoryBarrierImage groupMemoryBarrier subpassLoad"
          + " atomicCounterIncrement atomicCounterDecrement atomicCounter atomicAdd atomicMin"
          + " atomicMax atomicAnd atomicOr atomicXor atomicExchange atomicCompSwap atomicLoad"
          + " atomicStore imageSize imageSamples imageLoad imageStore imageAtomicAdd"
          + " imageAtomicMin imageAtomicMax imageAtomicAnd imageAtomicOr imageAtomicXor"
          + " imageAtomicExchange imageAtomicCompSwap dFdx dFdy dFdxFine dFdyFine dFdxCoarse"
          + " dFdyCoarse fwidth fwidthFine fwidthCoarse anyInvocation allInvocations"
          + " allInvocationsEqual";

  /** What opaque types are made of: something in front, the kind, and what may follow. */
  private static final String OPAQUE = "sampler image texture subpassInput";

  private static final String OPAQUE_ENDS =
      " 1D 2D 3D Cube 2DRect 1DArray 2DArray CubeArray Buffer 2DMS 2DMSArray Shadow 1DShadow"
          + " 2DShadow CubeShadow 2DRectShadow 1DArrayShadow 2DArrayShadow CubeArrayShadow MS"
          + " 3DRect";

  /** Types and literals of integers of 64 bits. */
  private static final Pattern INT64 =
      Pattern.compile("\\bu?int64_t\\b|\\b\\d[\\dA-Fa-fx]*[uU]?[lL]\\b");

  /** Names that kernels cannot give to anything. */
  static final Set<String> RESERVED = reserved();

  private static final Map<Pattern, String> EXTENSIONS = extensions();

  private GlslWords() {}

  private static Set<String> reserved() {
    Set<String> words = new HashSet<>(Set.of(KEYWORDS.split(" ")));
    words.addAll(Set.of(FUNCTIONS.split(" ")));
    for (String kind : OPAQUE.split(" ")) {
      for (String end : OPAQUE_ENDS.split(" ")) {
        words.add(kind + end);
        words.add("i" + kind + end);
        words.add("u" + kind + end);
      }
    }
    for (String prefix : new String[] {"", "i", "u", "b", "d", "i8", "u8", "i16", "u16", "f16"}) {
      addVectors(words, prefix);
    }
    for (String prefix : new String[] {"i32", "u32", "i64", "u64", "f32", "f64"}) {
      addVectors(words, prefix);
    }
    return Set.copyOf(words);
  }

  private static void addVectors(Set<String> words, String prefix) {
    for (int rows = 2; rows <= 4; rows++) {
      words.add(prefix + "vec" + rows);
      words.add(prefix + "mat" + rows);
      for (int columns = 2; columns <= 4; columns++) {
        words.add(prefix + "mat" + rows + "x" + columns);
      }
    }
  }

  private static Map<Pattern, String> extensions() {
    Map<Pattern, String> extensions = new LinkedHashMap<>();
    extensions.put(Pattern.compile("\\bbuffer_reference\\b"), "GL_EXT_buffer_reference");
    extensions.put(Pattern.compile("\\[\\[unroll]]"), "GL_EXT_control_flow_attributes");
    extensions.put(Pattern.compile("\\bu?int16_t\\b"), "GL_EXT_shader_16bit_storage");
    extensions.put(Pattern.compile("\\bu?int8_t\\b"), "GL_EXT_shader_8bit_storage");
    extensions.put(INT64, "GL_EXT_shader_explicit_arithmetic_types_int64");
    extensions.put(Pattern.compile("\\bcontrolBarrier\\b"), "GL_KHR_memory_scope_semantics");
    extensions.put(Pattern.compile("\\bsubgroupElect\\b"), "GL_KHR_shader_subgroup_basic");
    extensions.put(Pattern.compile("\\bsubgroupAny\\b"), "GL_KHR_shader_subgroup_vote");
    extensions.put(
        Pattern.compile("\\bsubgroup(Add|Min|Max|ExclusiveAdd)\\b"),
        "GL_KHR_shader_subgroup_arithmetic");
    return extensions;
  }

  /** The lines that allow a program what it uses. */
  static String extensions(String program) {
    return EXTENSIONS.entrySet().stream()
        .filter(entry -> entry.getKey().matcher(program).find())
        .map(entry -> "#extension " + entry.getValue() + " : require\n")
        .collect(Collectors.joining());
  }
}
