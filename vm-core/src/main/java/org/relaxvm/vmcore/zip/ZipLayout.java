package org.relaxvm.vmcore.zip;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Numbers of the zip format (PKWARE APPNOTE 6.3), as far as stored entries need them. */
final class ZipLayout {
  static final int LOCAL_SIGNATURE = 0x04034B50;
  static final int CENTRAL_SIGNATURE = 0x02014B50;
  static final int END_SIGNATURE = 0x06054B50;
  static final int END64_SIGNATURE = 0x06064B50;
  static final int LOCATOR64_SIGNATURE = 0x07064B50;

  static final int LOCAL_BYTES = 30;
  static final int CENTRAL_BYTES = 46;
  static final int END_BYTES = 22;
  static final int END64_BYTES = 56;
  static final int LOCATOR64_BYTES = 20;

  static final int METHOD_STORED = 0;
  static final int FLAG_UTF8 = 0x0800;

  /** 1 January 1980, the first day that the format knows. */
  static final int DOS_DATE = 0x21;

  static final int EXTRA_ZIP64 = 0x0001;

  /** The padding field that Android's zipalign introduced: u16 alignment, then zeros. */
  static final int EXTRA_ALIGNMENT = 0xD935;

  static final long MAX_32 = 0xFFFF_FFFFL;
  static final int MAX_16 = 0xFFFF;

  static final ValueLayout.OfShort U16 =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private ZipLayout() {}
}
