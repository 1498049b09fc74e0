package org.relaxvm.machine.arm64;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The instructions of AArch64 that the assembler has. Each row lists the forms of an instruction,
 * as {@link Form} describes them; the encoder, the listing and the tests read them. Names are the
 * mnemonics of the manual; {@code B_COND} is b.eq and so on.
 *
 * <p>Source: Arm Architecture Reference Manual for A-profile architecture, chapters C3, C4, C6 and
 * C7.
 */
public enum Instruction {
  // Integers, and vectors of integers that have the same mnemonic.
  ADD(
      "0B000000 Rd,Rn,Rm,shift?; 11000000 Rd/sp,Rn/sp,aimm; "
          + "0B200000 Wd/sp,Wn/sp,Wm,extend; 0B204000 Wd/sp,Wn/sp,Wm; "
          + "8B200000 Xd/sp,Xn/sp,Wm,extend; 8B206000 Xd/sp,Xn/sp,Xm,extend64?; "
          + "0E208400 Vd.T,Vn.T,Vm.T size=BHSd; 5EE08400 Dd,Dn,Dm"),
  SUB(
      "4B000000 Rd,Rn,Rm,shift?; 51000000 Rd/sp,Rn/sp,aimm; "
          + "4B200000 Wd/sp,Wn/sp,Wm,extend; 4B204000 Wd/sp,Wn/sp,Wm; "
          + "CB200000 Xd/sp,Xn/sp,Wm,extend; CB206000 Xd/sp,Xn/sp,Xm,extend64?; "
          + "2E208400 Vd.T,Vn.T,Vm.T size=BHSd; 7EE08400 Dd,Dn,Dm"),
  ADDS(
      "2B000000 Rd,Rn,Rm,shift?; 31000000 Rd,Rn/sp,aimm; 2B200000 Wd,Wn/sp,Wm,extend; "
          + "2B204000 Wd,Wn/sp,Wm; AB200000 Xd,Xn/sp,Wm,extend; AB206000 Xd,Xn/sp,Xm,extend64?"),
  SUBS(
      "6B000000 Rd,Rn,Rm,shift?; 71000000 Rd,Rn/sp,aimm; 6B200000 Wd,Wn/sp,Wm,extend; "
          + "6B204000 Wd,Wn/sp,Wm; EB200000 Xd,Xn/sp,Wm,extend; EB206000 Xd,Xn/sp,Xm,extend64?"),
  CMN(
      "2B00001F Rn,Rm,shift?; 3100001F Rn/sp,aimm; 2B20001F Wn/sp,Wm,extend; "
          + "2B20401F Wn/sp,Wm; AB20001F Xn/sp,Wm,extend; AB20601F Xn/sp,Xm,extend64?"),
  CMP(
      "6B00001F Rn,Rm,shift?; 7100001F Rn/sp,aimm; 6B20001F Wn/sp,Wm,extend; "
          + "6B20401F Wn/sp,Wm; EB20001F Xn/sp,Wm,extend; EB20601F Xn/sp,Xm,extend64?"),
  NEG("4B0003E0 Rd,Rm,shift?; 2E20B800 Vd.T,Vn.T size=BHSd; 7EE0B800 Dd,Dn"),
  NEGS("6B0003E0 Rd,Rm,shift?"),
  ADC("1A000000 Rd,Rn,Rm"),
  ADCS("3A000000 Rd,Rn,Rm"),
  SBC("5A000000 Rd,Rn,Rm"),
  SBCS("7A000000 Rd,Rn,Rm"),
  MADD("1B000000 Rd,Rn,Rm,Ra"),
  MSUB("1B008000 Rd,Rn,Rm,Ra"),
  MUL("1B007C00 Rd,Rn,Rm; 0E209C00 Vd.T,Vn.T,Vm.T size=BHS; 0F008000 Vd.T,Vn.T,Vm.T[x] size=HS"),
  MNEG("1B00FC00 Rd,Rn,Rm"),
  SMADDL("9B200000 Xd,Wn,Wm,Xa"),
  SMSUBL("9B208000 Xd,Wn,Wm,Xa"),
  UMADDL("9BA00000 Xd,Wn,Wm,Xa"),
  UMSUBL("9BA08000 Xd,Wn,Wm,Xa"),
  SMULH("9B407C00 Xd,Xn,Xm"),
  UMULH("9BC07C00 Xd,Xn,Xm"),
  SDIV("1AC00C00 Rd,Rn,Rm"),
  UDIV("1AC00800 Rd,Rn,Rm"),
  AND("0A000000 Rd,Rn,Rm,shift/ror?; 12000000 Rd/sp,Rn,bimm; 0E201C00 Vd.*B,Vn.*B,Vm.*B"),
  BIC(
      "0A200000 Rd,Rn,Rm,shift/ror?; 0E601C00 Vd.*B,Vn.*B,Vm.*B; "
          + "2F001400 Vd.*S,imm8,lsl24?; 2F009400 Vd.*H,imm8,lsl8?"),
  ORR(
      "2A000000 Rd,Rn,Rm,shift/ror?; 32000000 Rd/sp,Rn,bimm; 0EA01C00 Vd.*B,Vn.*B,Vm.*B; "
          + "0F001400 Vd.*S,imm8,lsl24?; 0F009400 Vd.*H,imm8,lsl8?"),
  ORN("2A200000 Rd,Rn,Rm,shift/ror?; 0EE01C00 Vd.*B,Vn.*B,Vm.*B"),
  EOR("4A000000 Rd,Rn,Rm,shift/ror?; 52000000 Rd/sp,Rn,bimm; 2E201C00 Vd.*B,Vn.*B,Vm.*B"),
  EON("4A200000 Rd,Rn,Rm,shift/ror?"),
  ANDS("6A000000 Rd,Rn,Rm,shift/ror?; 72000000 Rd,Rn,bimm"),
  BICS("6A200000 Rd,Rn,Rm,shift/ror?"),
  TST("6A00001F Rn,Rm,shift/ror?; 7200001F Rn,bimm"),
  MVN("2A2003E0 Rd,Rm,shift/ror?; 2E205800 Vd.*B,Vn.*B"),
  MOV(
      "2A0003E0 Rd,Rm; 11000000 Rd/sp,Rn/sp; 0EA01C00 Vd.*B,Vnm.*B; "
          + "6E000400 Vd.T[5],Vn.T[4] imm5=BHSD; 4E001C00 Vd.T[5],Wn imm5=BHS; "
          + "4E081C00 Vd.D[5],Xn; 0E043C00 Wd,Vn.S[5]; 4E083C00 Xd,Vn.D[5]; "
          + "5E000400 Td,Vn.T[5] imm5=BHSD"),
  MOVZ("52800000 Rd,imm16,lsl16?"),
  MOVN("12800000 Rd,imm16,lsl16?"),
  MOVK("72800000 Rd,imm16,lsl16?"),
  LSL("1AC02000 Rd,Rn,Rm; 53000000 Wd,Wn,left; D3400000 Xd,Xn,left"),
  LSR("1AC02400 Rd,Rn,Rm; 53007C00 Wd,Wn,immr; D340FC00 Xd,Xn,immr"),
  ASR("1AC02800 Rd,Rn,Rm; 13007C00 Wd,Wn,immr; 9340FC00 Xd,Xn,immr"),
  ROR("1AC02C00 Rd,Rn,Rm; 13800000 Wd,Wnm,imms; 93C00000 Xd,Xnm,imms"),
  EXTR("13800000 Wd,Wn,Wm,imms; 93C00000 Xd,Xn,Xm,imms"),
  SBFM("13000000 Wd,Wn,immr,imms; 93400000 Xd,Xn,immr,imms"),
  BFM("33000000 Wd,Wn,immr,imms; B3400000 Xd,Xn,immr,imms"),
  UBFM("53000000 Wd,Wn,immr,imms; D3400000 Xd,Xn,immr,imms"),
  SBFIZ("13000000 Wd,Wn,insert,inserted; 93400000 Xd,Xn,insert,inserted"),
  SBFX("13000000 Wd,Wn,extract,extracted; 93400000 Xd,Xn,extract,extracted"),
  BFI("33000000 Wd,Wn,insert,inserted; B3400000 Xd,Xn,insert,inserted"),
  BFXIL("33000000 Wd,Wn,extract,extracted; B3400000 Xd,Xn,extract,extracted"),
  UBFIZ("53000000 Wd,Wn,insert,inserted; D3400000 Xd,Xn,insert,inserted"),
  UBFX("53000000 Wd,Wn,extract,extracted; D3400000 Xd,Xn,extract,extracted"),
  SXTB("13001C00 Wd,Wn; 93401C00 Xd,Wn"),
  SXTH("13003C00 Wd,Wn; 93403C00 Xd,Wn"),
  SXTW("93407C00 Xd,Wn"),
  UXTB("53001C00 Wd,Wn"),
  UXTH("53003C00 Wd,Wn"),
  CLZ("5AC01000 Rd,Rn; 2E204800 Vd.T,Vn.T size=BHS"),
  CLS("5AC01400 Rd,Rn; 0E204800 Vd.T,Vn.T size=BHS"),
  RBIT("5AC00000 Rd,Rn; 2E605800 Vd.*B,Vn.*B"),
  REV("5AC00800 Wd,Wn; DAC00C00 Xd,Xn"),
  REV16("5AC00400 Rd,Rn; 0E201800 Vd.*B,Vn.*B"),
  REV32("DAC00800 Xd,Xn; 2E200800 Vd.T,Vn.T size=BH"),
  REV64("0E200800 Vd.T,Vn.T size=BHS"),

  // Conditions.
  CSEL("1A800000 Rd,Rn,Rm,cond"),
  CSINC("1A800400 Rd,Rn,Rm,cond"),
  CSINV("5A800000 Rd,Rn,Rm,cond"),
  CSNEG("5A800400 Rd,Rn,Rm,cond"),
  CSET("1A9F07E0 Rd,negcond"),
  CSETM("5A9F03E0 Rd,negcond"),
  CINC("1A800400 Rd,Rnm,negcond"),
  CINV("5A800000 Rd,Rnm,negcond"),
  CNEG("5A800400 Rd,Rnm,negcond"),
  CCMP("7A400000 Rn,Rm,nzcv,cond; 7A400800 Rn,imm5,nzcv,cond"),
  CCMN("3A400000 Rn,Rm,nzcv,cond; 3A400800 Rn,imm5,nzcv,cond"),

  // Control, caches, the processor.
  B("14000000 label26"),
  B_COND("54000000 branchcond,label19"),
  BL("94000000 label26"),
  BR("D61F0000 Xn"),
  BLR("D63F0000 Xn"),
  RET("D65F03C0; D65F0000 Xn"),
  CBZ("34000000 Rt,label19"),
  CBNZ("35000000 Rt,label19"),
  TBZ("36000000 Wt,bit,label14; 36000000 Xt,bit,label14"),
  TBNZ("37000000 Wt,bit,label14; 37000000 Xt,bit,label14"),
  ADR("10000000 Xd,label21"),
  ADRP("90000000 Xd,page"),
  BRK("D4200000 imm16"),
  UDF("00000000 low16"),
  SVC("D4000001 imm16"),
  NOP("D503201F"),
  YIELD("D503203F"),
  ISB("D5033FDF"),
  DMB("D50330BF barrier"),
  DSB("D503309F barrier"),
  MRS("D5200000 Xt,sysreg"),
  MSR("D5000000 sysregw,Xt"),
  DC_ZVA("D50B7420 Xt"),
  DC_CVAU("D50B7B20 Xt"),
  IC_IVAU("D50B7520 Xt"),

  // Memory.
  LDR(
      "B9400000 Wt,mem4; F9400000 Xt,mem8; 3D400000 Bt,mem1; 7D400000 Ht,mem2; "
          + "BD400000 St,mem4; FD400000 Dt,mem8; 3DC00000 Qt,mem16; 18000000 Wt,label19; "
          + "58000000 Xt,label19; 1C000000 St,label19; 5C000000 Dt,label19; 9C000000 Qt,label19"),
  STR(
      "B9000000 Wt,mem4; F9000000 Xt,mem8; 3D000000 Bt,mem1; 7D000000 Ht,mem2; "
          + "BD000000 St,mem4; FD000000 Dt,mem8; 3D800000 Qt,mem16"),
  LDRB("39400000 Wt,mem1"),
  STRB("39000000 Wt,mem1"),
  LDRH("79400000 Wt,mem2"),
  STRH("79000000 Wt,mem2"),
  LDRSB("39C00000 Wt,mem1; 39800000 Xt,mem1"),
  LDRSH("79C00000 Wt,mem2; 79800000 Xt,mem2"),
  LDRSW("B9800000 Xt,mem4; 98000000 Xt,label19"),
  LDUR(
      "B8400000 Wt,s9; F8400000 Xt,s9; 3C400000 Bt,s9; 7C400000 Ht,s9; BC400000 St,s9; "
          + "FC400000 Dt,s9; 3CC00000 Qt,s9"),
  STUR(
      "B8000000 Wt,s9; F8000000 Xt,s9; 3C000000 Bt,s9; 7C000000 Ht,s9; BC000000 St,s9; "
          + "FC000000 Dt,s9; 3C800000 Qt,s9"),
  LDURB("38400000 Wt,s9"),
  STURB("38000000 Wt,s9"),
  LDURH("78400000 Wt,s9"),
  STURH("78000000 Wt,s9"),
  LDURSB("38C00000 Wt,s9; 38800000 Xt,s9"),
  LDURSH("78C00000 Wt,s9; 78800000 Xt,s9"),
  LDURSW("B8800000 Xt,s9"),
  LDP(
      "29400000 Wt,Wt2,pair4; A9400000 Xt,Xt2,pair8; 2D400000 St,St2,pair4; "
          + "6D400000 Dt,Dt2,pair8; AD400000 Qt,Qt2,pair16"),
  STP(
      "29000000 Wt,Wt2,pair4; A9000000 Xt,Xt2,pair8; 2D000000 St,St2,pair4; "
          + "6D000000 Dt,Dt2,pair8; AD000000 Qt,Qt2,pair16"),
  LDPSW("69400000 Xt,Xt2,pair4"),
  LDNP(
      "28400000 Wt,Wt2,p4; A8400000 Xt,Xt2,p8; 2C400000 St,St2,p4; 6C400000 Dt,Dt2,p8; "
          + "AC400000 Qt,Qt2,p16"),
  STNP(
      "28000000 Wt,Wt2,p4; A8000000 Xt,Xt2,p8; 2C000000 St,St2,p4; 6C000000 Dt,Dt2,p8; "
          + "AC000000 Qt,Qt2,p16"),
  PRFM(
      "F9800000 prefetch,u8; F8A00800 prefetch,index8; D8000000 prefetch,label19; "
          + "F8800000 prefetch,s9"),
  PRFUM("F8800000 prefetch,s9"),
  LDAR("88DFFC00 Wt,base; C8DFFC00 Xt,base"),
  STLR("889FFC00 Wt,base; C89FFC00 Xt,base"),
  LDXR("885F7C00 Wt,base; C85F7C00 Xt,base"),
  STXR("88007C00 Ws,Wt,base; C8007C00 Ws,Xt,base"),
  LDAXR("885FFC00 Wt,base; C85FFC00 Xt,base"),
  STLXR("8800FC00 Ws,Wt,base; C800FC00 Ws,Xt,base"),
  LDADD("B8200000 Ws,Wt,base LSE; F8200000 Xs,Xt,base LSE"),
  LDADDAL("B8E00000 Ws,Wt,base LSE; F8E00000 Xs,Xt,base LSE"),
  SWPAL("B8E08000 Ws,Wt,base LSE; F8E08000 Xs,Xt,base LSE"),
  CASAL("88E0FC00 Ws,Wt,base LSE; C8E0FC00 Xs,Xt,base LSE"),
  LD1(
      "0C407000 L1t.T,structure size10=BHSD; 0C40A000 L2t.T,structure size10=BHSD; "
          + "0C406000 L3t.T,structure size10=BHSD; 0C402000 L4t.T,structure size10=BHSD; "
          + "0D400000 E1t.T,structure lane=BHSD"),
  LD2("0C408000 L2t.T,structure size10=BHSd; 0D600000 E2t.T,structure lane=BHSD"),
  LD3("0C404000 L3t.T,structure size10=BHSd; 0D402000 E3t.T,structure lane=BHSD"),
  LD4("0C400000 L4t.T,structure size10=BHSd; 0D602000 E4t.T,structure lane=BHSD"),
  LD1R("0D40C000 L1t.T,replicated size10=BHSD"),
  LD2R("0D60C000 L2t.T,replicated size10=BHSD"),
  LD3R("0D40E000 L3t.T,replicated size10=BHSD"),
  LD4R("0D60E000 L4t.T,replicated size10=BHSD"),
  ST1(
      "0C007000 L1t.T,structure size10=BHSD; 0C00A000 L2t.T,structure size10=BHSD; "
          + "0C006000 L3t.T,structure size10=BHSD; 0C002000 L4t.T,structure size10=BHSD; "
          + "0D000000 E1t.T,structure lane=BHSD"),
  ST2("0C008000 L2t.T,structure size10=BHSd; 0D200000 E2t.T,structure lane=BHSD"),
  ST3("0C004000 L3t.T,structure size10=BHSd; 0D002000 E3t.T,structure lane=BHSD"),
  ST4("0C000000 L4t.T,structure size10=BHSd; 0D202000 E4t.T,structure lane=BHSD"),

  // Floating point: scalars, vectors, a vector and an element.
  FADD("1E202800 Fd,Fn,Fm; 0E20D400 Vd.T,Vn.T,Vm.T fp3=HSd"),
  FSUB("1E203800 Fd,Fn,Fm; 0EA0D400 Vd.T,Vn.T,Vm.T fp3=HSd"),
  FMUL(
      "1E200800 Fd,Fn,Fm; 2E20DC00 Vd.T,Vn.T,Vm.T fp3=HSd; "
          + "0F809000 Vd.T,Vn.T,Vm.T[x] fpx=HSd; 5F809000 Sd,Sn,Vm.S[x]; 5FC09000 Dd,Dn,Vm.D[x]; "
          + "5F009000 Hd,Hn,Vm.H[x] FP16"),
  FMULX("0E20DC00 Vd.T,Vn.T,Vm.T fp3=HSd; 2F809000 Vd.T,Vn.T,Vm.T[x] fpx=HSd"),
  FNMUL("1E208800 Fd,Fn,Fm"),
  FDIV("1E201800 Fd,Fn,Fm; 2E20FC00 Vd.T,Vn.T,Vm.T fp3=HSd"),
  FMADD("1F000000 Fd,Fn,Fm,Fa"),
  FMSUB("1F008000 Fd,Fn,Fm,Fa"),
  FNMADD("1F200000 Fd,Fn,Fm,Fa"),
  FNMSUB("1F208000 Fd,Fn,Fm,Fa"),
  FMLA(
      "0E20CC00 Vd.T,Vn.T,Vm.T fp3=HSd; 0F801000 Vd.T,Vn.T,Vm.T[x] fpx=HSd; "
          + "5F801000 Sd,Sn,Vm.S[x]; 5FC01000 Dd,Dn,Vm.D[x]; 5F001000 Hd,Hn,Vm.H[x] FP16"),
  FMLS(
      "0EA0CC00 Vd.T,Vn.T,Vm.T fp3=HSd; 0F805000 Vd.T,Vn.T,Vm.T[x] fpx=HSd; "
          + "5F805000 Sd,Sn,Vm.S[x]; 5FC05000 Dd,Dn,Vm.D[x]; 5F005000 Hd,Hn,Vm.H[x] FP16"),
  FMLAL("4E20EC00 Vd.4S,Vn.4H,Vm.4H FHM; 4F800000 Vd.4S,Vn.4H,Vm.H[x] FHM"),
  FMLAL2("6E20CC00 Vd.4S,Vn.4H,Vm.4H FHM; 6F808000 Vd.4S,Vn.4H,Vm.H[x] FHM"),
  FMLSL("4EA0EC00 Vd.4S,Vn.4H,Vm.4H FHM; 4F804000 Vd.4S,Vn.4H,Vm.H[x] FHM"),
  FMLSL2("6EA0CC00 Vd.4S,Vn.4H,Vm.4H FHM; 6F80C000 Vd.4S,Vn.4H,Vm.H[x] FHM"),
  FMAX("1E204800 Fd,Fn,Fm; 0E20F400 Vd.T,Vn.T,Vm.T fp3=HSd"),
  FMIN("1E205800 Fd,Fn,Fm; 0EA0F400 Vd.T,Vn.T,Vm.T fp3=HSd"),
  FMAXNM("1E206800 Fd,Fn,Fm; 0E20C400 Vd.T,Vn.T,Vm.T fp3=HSd"),
  FMINNM("1E207800 Fd,Fn,Fm; 0EA0C400 Vd.T,Vn.T,Vm.T fp3=HSd"),
  FADDP("2E20D400 Vd.T,Vn.T,Vm.T fp3=HSd; 7E30D800 Sd,Vn.2S; 7E70D800 Dd,Vn.2D"),
  FMAXP("2E20F400 Vd.T,Vn.T,Vm.T fp3=HSd; 7E30F800 Sd,Vn.2S; 7E70F800 Dd,Vn.2D"),
  FMINP("2EA0F400 Vd.T,Vn.T,Vm.T fp3=HSd; 7EB0F800 Sd,Vn.2S; 7EF0F800 Dd,Vn.2D"),
  FMAXNMP("2E20C400 Vd.T,Vn.T,Vm.T fp3=HSd; 7E30C800 Sd,Vn.2S; 7E70C800 Dd,Vn.2D"),
  FMINNMP("2EA0C400 Vd.T,Vn.T,Vm.T fp3=HSd; 7EB0C800 Sd,Vn.2S; 7EF0C800 Dd,Vn.2D"),
  FMAXV("6E30F800 Sd,Vn.4S; 0E30F800 Hd,Vn.*H FP16"),
  FMINV("6EB0F800 Sd,Vn.4S; 0EB0F800 Hd,Vn.*H FP16"),
  FMAXNMV("6E30C800 Sd,Vn.4S; 0E30C800 Hd,Vn.*H FP16"),
  FMINNMV("6EB0C800 Sd,Vn.4S; 0EB0C800 Hd,Vn.*H FP16"),
  FABS("1E20C000 Fd,Fn; 0EA0F800 Vd.T,Vn.T fp2=HSd"),
  FNEG("1E214000 Fd,Fn; 2EA0F800 Vd.T,Vn.T fp2=HSd"),
  FSQRT("1E21C000 Fd,Fn; 2EA1F800 Vd.T,Vn.T fp2=HSd"),
  FABD("2EA0D400 Vd.T,Vn.T,Vm.T fp3=HSd; 7EA0D400 Sd,Sn,Sm; 7EE0D400 Dd,Dn,Dm"),
  FRINTN("1E244000 Fd,Fn; 0E218800 Vd.T,Vn.T fp2=HSd"),
  FRINTP("1E24C000 Fd,Fn; 0EA18800 Vd.T,Vn.T fp2=HSd"),
  FRINTM("1E254000 Fd,Fn; 0E219800 Vd.T,Vn.T fp2=HSd"),
  FRINTZ("1E25C000 Fd,Fn; 0EA19800 Vd.T,Vn.T fp2=HSd"),
  FRINTA("1E264000 Fd,Fn; 2E218800 Vd.T,Vn.T fp2=HSd"),
  FRINTX("1E274000 Fd,Fn; 2E219800 Vd.T,Vn.T fp2=HSd"),
  FRINTI("1E27C000 Fd,Fn; 2EA19800 Vd.T,Vn.T fp2=HSd"),
  FRECPE("0EA1D800 Vd.T,Vn.T fp2=HSd; 5EA1D800 Sd,Sn; 5EE1D800 Dd,Dn"),
  FRSQRTE("2EA1D800 Vd.T,Vn.T fp2=HSd; 7EA1D800 Sd,Sn; 7EE1D800 Dd,Dn"),
  FRECPS("0E20FC00 Vd.T,Vn.T,Vm.T fp3=HSd; 5E20FC00 Sd,Sn,Sm; 5E60FC00 Dd,Dn,Dm"),
  FRSQRTS("0EA0FC00 Vd.T,Vn.T,Vm.T fp3=HSd; 5EA0FC00 Sd,Sn,Sm; 5EE0FC00 Dd,Dn,Dm"),
  FCMP("1E202000 Fn,Fm; 1E202008 Fn,#0.0"),
  FCMPE("1E202010 Fn,Fm; 1E202018 Fn,#0.0"),
  FCCMP("1E200400 Fn,Fm,nzcv,cond"),
  FCSEL("1E200C00 Fd,Fn,Fm,cond"),
  FCMEQ("0E20E400 Vd.T,Vn.T,Vm.T fp3=HSd; 0EA0D800 Vd.T,Vn.T,#0.0 fp2=HSd"),
  FCMGE("2E20E400 Vd.T,Vn.T,Vm.T fp3=HSd; 2EA0C800 Vd.T,Vn.T,#0.0 fp2=HSd"),
  FCMGT("2EA0E400 Vd.T,Vn.T,Vm.T fp3=HSd; 0EA0C800 Vd.T,Vn.T,#0.0 fp2=HSd"),
  FCMLE("2EA0D800 Vd.T,Vn.T,#0.0 fp2=HSd"),
  FCMLT("0EA0E800 Vd.T,Vn.T,#0.0 fp2=HSd"),
  FACGE("2E20EC00 Vd.T,Vn.T,Vm.T fp3=HSd"),
  FACGT("2EA0EC00 Vd.T,Vn.T,Vm.T fp3=HSd"),
  FMOV(
      "1E204000 Fd,Fn; 1E201000 Fd,fimm; 1E260000 Wd,Sn; 1E270000 Sd,Wn; 9E660000 Xd,Dn; "
          + "9E670000 Dd,Xn; 1EE60000 Wd,Hn FP16; 1EE70000 Hd,Wn FP16; 9EE60000 Xd,Hn FP16; "
          + "9EE70000 Hd,Xn FP16; 0F00F400 Vd.*S,vfimm; 6F00F400 Vd.2D,vfimm; "
          + "0F00FC00 Vd.*H,vfimm FP16"),
  FCVT(
      "1EE24000 Sd,Hn; 1EE2C000 Dd,Hn; 1E23C000 Hd,Sn; 1E22C000 Dd,Sn; 1E63C000 Hd,Dn; "
          + "1E624000 Sd,Dn"),
  FCVTNS("1E200000 Rd,Fn; 0E21A800 Vd.T,Vn.T fp2=HSd"),
  FCVTNU("1E210000 Rd,Fn; 2E21A800 Vd.T,Vn.T fp2=HSd"),
  FCVTPS("1E280000 Rd,Fn; 0EA1A800 Vd.T,Vn.T fp2=HSd"),
  FCVTPU("1E290000 Rd,Fn; 2EA1A800 Vd.T,Vn.T fp2=HSd"),
  FCVTMS("1E300000 Rd,Fn; 0E21B800 Vd.T,Vn.T fp2=HSd"),
  FCVTMU("1E310000 Rd,Fn; 2E21B800 Vd.T,Vn.T fp2=HSd"),
  FCVTAS("1E240000 Rd,Fn; 0E21C800 Vd.T,Vn.T fp2=HSd"),
  FCVTAU("1E250000 Rd,Fn; 2E21C800 Vd.T,Vn.T fp2=HSd"),
  FCVTZS(
      "1E380000 Rd,Fn; 0EA1B800 Vd.T,Vn.T fp2=HSd; 5EA1B800 Sd,Sn; 5EE1B800 Dd,Dn; "
          + "0F00FC00 Vd.T,Vn.T,shr immh=Sd; 0F00FC00 Vd.T,Vn.T,shr immh=H FP16"),
  FCVTZU(
      "1E390000 Rd,Fn; 2EA1B800 Vd.T,Vn.T fp2=HSd; 7EA1B800 Sd,Sn; 7EE1B800 Dd,Dn; "
          + "2F00FC00 Vd.T,Vn.T,shr immh=Sd; 2F00FC00 Vd.T,Vn.T,shr immh=H FP16"),
  SCVTF(
      "1E220000 Fd,Rn; 0E21D800 Vd.T,Vn.T fp2=HSd; 5E21D800 Sd,Sn; 5E61D800 Dd,Dn; "
          + "0F00E400 Vd.T,Vn.T,shr immh=Sd; 0F00E400 Vd.T,Vn.T,shr immh=H FP16"),
  UCVTF(
      "1E230000 Fd,Rn; 2E21D800 Vd.T,Vn.T fp2=HSd; 7E21D800 Sd,Sn; 7E61D800 Dd,Dn; "
          + "2F00E400 Vd.T,Vn.T,shr immh=Sd; 2F00E400 Vd.T,Vn.T,shr immh=H FP16"),
  FCVTL("0E217800 Vd.4S,Vn.4H; 0E617800 Vd.2D,Vn.2S"),
  FCVTL2("4E217800 Vd.4S,Vn.8H; 4E617800 Vd.2D,Vn.4S"),
  FCVTN("0E216800 Vd.4H,Vn.4S; 0E616800 Vd.2S,Vn.2D"),
  FCVTN2("4E216800 Vd.8H,Vn.4S; 4E616800 Vd.4S,Vn.2D"),

  // Dot products and matrix products.
  SDOT("0E809400 Vd.*S,Vn.*B,Vm.*B DOTPROD; 0F80E000 Vd.*S,Vn.*B,Vm.4B[x] DOTPROD"),
  UDOT("2E809400 Vd.*S,Vn.*B,Vm.*B DOTPROD; 2F80E000 Vd.*S,Vn.*B,Vm.4B[x] DOTPROD"),
  USDOT("0E809C00 Vd.*S,Vn.*B,Vm.*B I8MM; 0F80F000 Vd.*S,Vn.*B,Vm.4B[x] I8MM"),
  SUDOT("0F00F000 Vd.*S,Vn.*B,Vm.4B[x] I8MM"),
  SMMLA("4E80A400 Vd.4S,Vn.16B,Vm.16B I8MM"),
  UMMLA("6E80A400 Vd.4S,Vn.16B,Vm.16B I8MM"),
  USMMLA("4E80AC00 Vd.4S,Vn.16B,Vm.16B I8MM"),
  BFDOT("2E40FC00 Vd.*S,Vn.*H,Vm.*H BF16; 0F40F000 Vd.*S,Vn.*H,Vm.2H[x] BF16"),
  BFMMLA("6E40EC00 Vd.4S,Vn.8H,Vm.8H BF16"),
  BFMLALB("2EC0FC00 Vd.4S,Vn.8H,Vm.8H BF16; 0FC0F000 Vd.4S,Vn.8H,Vm.H[x] BF16"),
  BFMLALT("6EC0FC00 Vd.4S,Vn.8H,Vm.8H BF16; 4FC0F000 Vd.4S,Vn.8H,Vm.H[x] BF16"),
  BFCVT("1E634000 Hd,Sn BF16"),
  BFCVTN("0EA16800 Vd.4H,Vn.4S BF16"),
  BFCVTN2("4EA16800 Vd.8H,Vn.4S BF16"),

  // Vectors of integers.
  MLA("0E209400 Vd.T,Vn.T,Vm.T size=BHS; 2F000000 Vd.T,Vn.T,Vm.T[x] size=HS"),
  MLS("2E209400 Vd.T,Vn.T,Vm.T size=BHS; 2F004000 Vd.T,Vn.T,Vm.T[x] size=HS"),
  ADDP("0E20BC00 Vd.T,Vn.T,Vm.T size=BHSd; 5EF1B800 Dd,Vn.2D"),
  ADDV("0E31B800 Td,Vn.T size=BHs"),
  SADDLV("0E303800 Ld,Vn.T size=BHs"),
  UADDLV("2E303800 Ld,Vn.T size=BHs"),
  SMAX("0E206400 Vd.T,Vn.T,Vm.T size=BHS"),
  SMIN("0E206C00 Vd.T,Vn.T,Vm.T size=BHS"),
  UMAX("2E206400 Vd.T,Vn.T,Vm.T size=BHS"),
  UMIN("2E206C00 Vd.T,Vn.T,Vm.T size=BHS"),
  SMAXP("0E20A400 Vd.T,Vn.T,Vm.T size=BHS"),
  SMINP("0E20AC00 Vd.T,Vn.T,Vm.T size=BHS"),
  UMAXP("2E20A400 Vd.T,Vn.T,Vm.T size=BHS"),
  UMINP("2E20AC00 Vd.T,Vn.T,Vm.T size=BHS"),
  SMAXV("0E30A800 Td,Vn.T size=BHs"),
  SMINV("0E31A800 Td,Vn.T size=BHs"),
  UMAXV("2E30A800 Td,Vn.T size=BHs"),
  UMINV("2E31A800 Td,Vn.T size=BHs"),
  ABS("0E20B800 Vd.T,Vn.T size=BHSd; 5EE0B800 Dd,Dn"),
  SQABS("0E207800 Vd.T,Vn.T size=BHSd"),
  SQNEG("2E207800 Vd.T,Vn.T size=BHSd"),
  SABD("0E207400 Vd.T,Vn.T,Vm.T size=BHS"),
  UABD("2E207400 Vd.T,Vn.T,Vm.T size=BHS"),
  SABA("0E207C00 Vd.T,Vn.T,Vm.T size=BHS"),
  UABA("2E207C00 Vd.T,Vn.T,Vm.T size=BHS"),
  SHADD("0E200400 Vd.T,Vn.T,Vm.T size=BHS"),
  UHADD("2E200400 Vd.T,Vn.T,Vm.T size=BHS"),
  SRHADD("0E201400 Vd.T,Vn.T,Vm.T size=BHS"),
  URHADD("2E201400 Vd.T,Vn.T,Vm.T size=BHS"),
  SHSUB("0E202400 Vd.T,Vn.T,Vm.T size=BHS"),
  UHSUB("2E202400 Vd.T,Vn.T,Vm.T size=BHS"),
  SQADD("0E200C00 Vd.T,Vn.T,Vm.T size=BHSd"),
  UQADD("2E200C00 Vd.T,Vn.T,Vm.T size=BHSd"),
  SQSUB("0E202C00 Vd.T,Vn.T,Vm.T size=BHSd"),
  UQSUB("2E202C00 Vd.T,Vn.T,Vm.T size=BHSd"),
  SQDMULH("0E20B400 Vd.T,Vn.T,Vm.T size=HS; 0F00C000 Vd.T,Vn.T,Vm.T[x] size=HS"),
  SQRDMULH("2E20B400 Vd.T,Vn.T,Vm.T size=HS; 0F00D000 Vd.T,Vn.T,Vm.T[x] size=HS"),
  SQRDMLAH("2E008400 Vd.T,Vn.T,Vm.T size=HS RDM; 2F00D000 Vd.T,Vn.T,Vm.T[x] size=HS RDM"),
  CNT("0E205800 Vd.*B,Vn.*B"),
  NOT("2E205800 Vd.*B,Vn.*B"),
  BSL("2E601C00 Vd.*B,Vn.*B,Vm.*B"),
  BIT("2EA01C00 Vd.*B,Vn.*B,Vm.*B"),
  BIF("2EE01C00 Vd.*B,Vn.*B,Vm.*B"),
  CMEQ("2E208C00 Vd.T,Vn.T,Vm.T size=BHSd; 0E209800 Vd.T,Vn.T,#0 size=BHSd"),
  CMGE("0E203C00 Vd.T,Vn.T,Vm.T size=BHSd; 2E208800 Vd.T,Vn.T,#0 size=BHSd"),
  CMGT("0E203400 Vd.T,Vn.T,Vm.T size=BHSd; 0E208800 Vd.T,Vn.T,#0 size=BHSd"),
  CMHI("2E203400 Vd.T,Vn.T,Vm.T size=BHSd"),
  CMHS("2E203C00 Vd.T,Vn.T,Vm.T size=BHSd"),
  CMLE("2E209800 Vd.T,Vn.T,#0 size=BHSd"),
  CMLT("0E20A800 Vd.T,Vn.T,#0 size=BHSd"),
  CMTST("0E208C00 Vd.T,Vn.T,Vm.T size=BHSd"),

  // Results or operands of twice the size; the suffix 2 is for the upper half.
  SADDL("0E200000 Vd.W,Vn.T,Vm.T size=BHS/64"),
  SADDL2("0E200000 Vd.W,Vn.T,Vm.T size=bhs"),
  UADDL("2E200000 Vd.W,Vn.T,Vm.T size=BHS/64"),
  UADDL2("2E200000 Vd.W,Vn.T,Vm.T size=bhs"),
  SSUBL("0E202000 Vd.W,Vn.T,Vm.T size=BHS/64"),
  SSUBL2("0E202000 Vd.W,Vn.T,Vm.T size=bhs"),
  USUBL("2E202000 Vd.W,Vn.T,Vm.T size=BHS/64"),
  USUBL2("2E202000 Vd.W,Vn.T,Vm.T size=bhs"),
  SADDW("0E201000 Vd.W,Vn.W,Vm.T size=BHS/64"),
  SADDW2("0E201000 Vd.W,Vn.W,Vm.T size=bhs"),
  UADDW("2E201000 Vd.W,Vn.W,Vm.T size=BHS/64"),
  UADDW2("2E201000 Vd.W,Vn.W,Vm.T size=bhs"),
  SSUBW("0E203000 Vd.W,Vn.W,Vm.T size=BHS/64"),
  SSUBW2("0E203000 Vd.W,Vn.W,Vm.T size=bhs"),
  USUBW("2E203000 Vd.W,Vn.W,Vm.T size=BHS/64"),
  USUBW2("2E203000 Vd.W,Vn.W,Vm.T size=bhs"),
  SMULL(
      "9B207C00 Xd,Wn,Wm; 0E20C000 Vd.W,Vn.T,Vm.T size=BHS/64; "
          + "0F00A000 Vd.W,Vn.T,Vm.T[x] size=HS/64"),
  SMULL2("0E20C000 Vd.W,Vn.T,Vm.T size=bhs; 0F00A000 Vd.W,Vn.T,Vm.T[x] size=hs"),
  UMULL(
      "9BA07C00 Xd,Wn,Wm; 2E20C000 Vd.W,Vn.T,Vm.T size=BHS/64; "
          + "2F00A000 Vd.W,Vn.T,Vm.T[x] size=HS/64"),
  UMULL2("2E20C000 Vd.W,Vn.T,Vm.T size=bhs; 2F00A000 Vd.W,Vn.T,Vm.T[x] size=hs"),
  SMLAL("0E208000 Vd.W,Vn.T,Vm.T size=BHS/64; 0F002000 Vd.W,Vn.T,Vm.T[x] size=HS/64"),
  SMLAL2("0E208000 Vd.W,Vn.T,Vm.T size=bhs; 0F002000 Vd.W,Vn.T,Vm.T[x] size=hs"),
  UMLAL("2E208000 Vd.W,Vn.T,Vm.T size=BHS/64; 2F002000 Vd.W,Vn.T,Vm.T[x] size=HS/64"),
  UMLAL2("2E208000 Vd.W,Vn.T,Vm.T size=bhs; 2F002000 Vd.W,Vn.T,Vm.T[x] size=hs"),
  SMLSL("0E20A000 Vd.W,Vn.T,Vm.T size=BHS/64; 0F006000 Vd.W,Vn.T,Vm.T[x] size=HS/64"),
  SMLSL2("0E20A000 Vd.W,Vn.T,Vm.T size=bhs; 0F006000 Vd.W,Vn.T,Vm.T[x] size=hs"),
  UMLSL("2E20A000 Vd.W,Vn.T,Vm.T size=BHS/64; 2F006000 Vd.W,Vn.T,Vm.T[x] size=HS/64"),
  UMLSL2("2E20A000 Vd.W,Vn.T,Vm.T size=bhs; 2F006000 Vd.W,Vn.T,Vm.T[x] size=hs"),
  SQDMULL("0E20D000 Vd.W,Vn.T,Vm.T size=HS/64; 0F00B000 Vd.W,Vn.T,Vm.T[x] size=HS/64"),
  SQDMULL2("0E20D000 Vd.W,Vn.T,Vm.T size=hs; 0F00B000 Vd.W,Vn.T,Vm.T[x] size=hs"),
  SABDL("0E207000 Vd.W,Vn.T,Vm.T size=BHS/64"),
  SABDL2("0E207000 Vd.W,Vn.T,Vm.T size=bhs"),
  UABDL("2E207000 Vd.W,Vn.T,Vm.T size=BHS/64"),
  UABDL2("2E207000 Vd.W,Vn.T,Vm.T size=bhs"),
  SABAL("0E205000 Vd.W,Vn.T,Vm.T size=BHS/64"),
  SABAL2("0E205000 Vd.W,Vn.T,Vm.T size=bhs"),
  UABAL("2E205000 Vd.W,Vn.T,Vm.T size=BHS/64"),
  UABAL2("2E205000 Vd.W,Vn.T,Vm.T size=bhs"),
  SADDLP("0E202800 Vd.P,Vn.T size=BHS"),
  UADDLP("2E202800 Vd.P,Vn.T size=BHS"),
  SADALP("0E206800 Vd.P,Vn.T size=BHS"),
  UADALP("2E206800 Vd.P,Vn.T size=BHS"),
  ADDHN("0E204000 Vd.T,Vn.W,Vm.W size=BHS/64"),
  ADDHN2("0E204000 Vd.T,Vn.W,Vm.W size=bhs"),
  RADDHN("2E204000 Vd.T,Vn.W,Vm.W size=BHS/64"),
  RADDHN2("2E204000 Vd.T,Vn.W,Vm.W size=bhs"),
  SUBHN("0E206000 Vd.T,Vn.W,Vm.W size=BHS/64"),
  SUBHN2("0E206000 Vd.T,Vn.W,Vm.W size=bhs"),
  XTN("0E212800 Vd.T,Vn.W size=BHS/64"),
  XTN2("0E212800 Vd.T,Vn.W size=bhs"),
  SQXTN("0E214800 Vd.T,Vn.W size=BHS/64"),
  SQXTN2("0E214800 Vd.T,Vn.W size=bhs"),
  UQXTN("2E214800 Vd.T,Vn.W size=BHS/64"),
  UQXTN2("2E214800 Vd.T,Vn.W size=bhs"),
  SQXTUN("2E212800 Vd.T,Vn.W size=BHS/64"),
  SQXTUN2("2E212800 Vd.T,Vn.W size=bhs"),
  SXTL("0F00A400 Vd.W,Vn.T immh=BHS/64"),
  SXTL2("0F00A400 Vd.W,Vn.T immh=bhs"),
  UXTL("2F00A400 Vd.W,Vn.T immh=BHS/64"),
  UXTL2("2F00A400 Vd.W,Vn.T immh=bhs"),

  // Shifts.
  SSHL("0E204400 Vd.T,Vn.T,Vm.T size=BHSd; 5EE04400 Dd,Dn,Dm"),
  USHL("2E204400 Vd.T,Vn.T,Vm.T size=BHSd; 7EE04400 Dd,Dn,Dm"),
  SRSHL("0E205400 Vd.T,Vn.T,Vm.T size=BHSd"),
  URSHL("2E205400 Vd.T,Vn.T,Vm.T size=BHSd"),
  SQSHL("0E204C00 Vd.T,Vn.T,Vm.T size=BHSd; 0F007400 Vd.T,Vn.T,shl immh=BHSd"),
  UQSHL("2E204C00 Vd.T,Vn.T,Vm.T size=BHSd; 2F007400 Vd.T,Vn.T,shl immh=BHSd"),
  SQSHLU("2F006400 Vd.T,Vn.T,shl immh=BHSd"),
  SQRSHL("0E205C00 Vd.T,Vn.T,Vm.T size=BHSd"),
  UQRSHL("2E205C00 Vd.T,Vn.T,Vm.T size=BHSd"),
  SHL("0F005400 Vd.T,Vn.T,shl immh=BHSd; 5F405400 Dd,Dn,shl64"),
  SSHR("0F000400 Vd.T,Vn.T,shr immh=BHSd; 5F400400 Dd,Dn,shr64"),
  USHR("2F000400 Vd.T,Vn.T,shr immh=BHSd; 7F400400 Dd,Dn,shr64"),
  SSRA("0F001400 Vd.T,Vn.T,shr immh=BHSd"),
  USRA("2F001400 Vd.T,Vn.T,shr immh=BHSd"),
  SRSHR("0F002400 Vd.T,Vn.T,shr immh=BHSd"),
  URSHR("2F002400 Vd.T,Vn.T,shr immh=BHSd"),
  SRSRA("0F003400 Vd.T,Vn.T,shr immh=BHSd"),
  URSRA("2F003400 Vd.T,Vn.T,shr immh=BHSd"),
  SLI("2F005400 Vd.T,Vn.T,shl immh=BHSd; 7F405400 Dd,Dn,shl64"),
  SRI("2F004400 Vd.T,Vn.T,shr immh=BHSd; 7F404400 Dd,Dn,shr64"),
  SSHLL("0F00A400 Vd.W,Vn.T,shl immh=BHS/64"),
  SSHLL2("0F00A400 Vd.W,Vn.T,shl immh=bhs"),
  USHLL("2F00A400 Vd.W,Vn.T,shl immh=BHS/64"),
  USHLL2("2F00A400 Vd.W,Vn.T,shl immh=bhs"),
  SHRN("0F008400 Vd.T,Vn.W,shr immh=BHS/64"),
  SHRN2("0F008400 Vd.T,Vn.W,shr immh=bhs"),
  RSHRN("0F008C00 Vd.T,Vn.W,shr immh=BHS/64"),
  RSHRN2("0F008C00 Vd.T,Vn.W,shr immh=bhs"),
  SQSHRN("0F009400 Vd.T,Vn.W,shr immh=BHS/64"),
  SQSHRN2("0F009400 Vd.T,Vn.W,shr immh=bhs"),
  SQRSHRN("0F009C00 Vd.T,Vn.W,shr immh=BHS/64"),
  SQRSHRN2("0F009C00 Vd.T,Vn.W,shr immh=bhs"),
  UQSHRN("2F009400 Vd.T,Vn.W,shr immh=BHS/64"),
  UQSHRN2("2F009400 Vd.T,Vn.W,shr immh=bhs"),
  UQRSHRN("2F009C00 Vd.T,Vn.W,shr immh=BHS/64"),
  UQRSHRN2("2F009C00 Vd.T,Vn.W,shr immh=bhs"),
  SQSHRUN("2F008400 Vd.T,Vn.W,shr immh=BHS/64"),
  SQSHRUN2("2F008400 Vd.T,Vn.W,shr immh=bhs"),
  SQRSHRUN("2F008C00 Vd.T,Vn.W,shr immh=BHS/64"),
  SQRSHRUN2("2F008C00 Vd.T,Vn.W,shr immh=bhs"),

  // Permutations and moves of elements.
  DUP(
      "0E000400 Vd.T,Vn.T[5] imm5=BHSd; 0E000C00 Vd.T,Wn imm5=BHS; 4E080C00 Vd.2D,Xn; "
          + "5E000400 Td,Vn.T[5] imm5=BHSD"),
  INS("6E000400 Vd.T[5],Vn.T[4] imm5=BHSD; 4E001C00 Vd.T[5],Wn imm5=BHS; 4E081C00 Vd.D[5],Xn"),
  UMOV("0E003C00 Wd,Vn.T[5] imm5=BHS; 4E083C00 Xd,Vn.D[5]"),
  SMOV("0E002C00 Wd,Vn.T[5] imm5=BH; 4E002C00 Xd,Vn.T[5] imm5=BHS"),
  MOVI(
      "0F00E400 Vd.*B,imm8; 0F000400 Vd.*S,imm8,lsl24?; 0F008400 Vd.*H,imm8,lsl8?; "
          + "0F00C400 Vd.*S,imm8,msl; 2F00E400 Dd,bytemask; 6F00E400 Vd.2D,bytemask"),
  MVNI("2F000400 Vd.*S,imm8,lsl24?; 2F008400 Vd.*H,imm8,lsl8?; 2F00C400 Vd.*S,imm8,msl"),
  ZIP1("0E003800 Vd.T,Vn.T,Vm.T size=BHSd"),
  ZIP2("0E007800 Vd.T,Vn.T,Vm.T size=BHSd"),
  UZP1("0E001800 Vd.T,Vn.T,Vm.T size=BHSd"),
  UZP2("0E005800 Vd.T,Vn.T,Vm.T size=BHSd"),
  TRN1("0E002800 Vd.T,Vn.T,Vm.T size=BHSd"),
  TRN2("0E006800 Vd.T,Vn.T,Vm.T size=BHSd"),
  EXT("2E000000 Vd.*B,Vn.*B,Vm.*B,byte"),
  TBL(
      "0E000000 Vd.*B,L1n.16B,Vm.*B; 0E002000 Vd.*B,L2n.16B,Vm.*B; "
          + "0E004000 Vd.*B,L3n.16B,Vm.*B; 0E006000 Vd.*B,L4n.16B,Vm.*B"),
  TBX(
      "0E001000 Vd.*B,L1n.16B,Vm.*B; 0E003000 Vd.*B,L2n.16B,Vm.*B; "
          + "0E005000 Vd.*B,L3n.16B,Vm.*B; 0E007000 Vd.*B,L4n.16B,Vm.*B");

  private final String text;
  private volatile @Nullable List<Form> forms;

  Instruction(String text) {
    this.text = text;
  }

  /** Its forms, in the order in which they are tried. Rows are parsed when they are first used. */
  List<Form> forms() {
    List<Form> parsed = forms;
    if (parsed == null) {
      parsed = Form.parseAll(text);
      forms = parsed;
    }
    return parsed;
  }

  /** Whether two registers are loaded, which have to differ. */
  boolean loadsPair() {
    return this == LDP || this == LDPSW || this == LDNP;
  }

  /** Whether a status is written, whose register has to differ from the others. */
  boolean storesExclusively() {
    return this == STXR || this == STLXR;
  }

  /** What to do where a label is farther away than the instruction reaches. */
  String farther() {
    return switch (this) {
      case B_COND, CBZ, CBNZ, TBZ, TBNZ -> "use emitFar";
      case LDR, LDRSW, PRFM -> "call placeConstants nearer to the load";
      default -> "divide the code into functions and call them by address";
    };
  }

  /** The mnemonic. */
  @Override
  public String toString() {
    return this == B_COND ? "b.cond" : name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
