/**
 * Zip archives whose entries are stored and aligned, so that they can be mapped. Internal to this
 * module; {@link org.relaxvm.vmcore.zip.StoredZipWriter} and {@link
 * org.relaxvm.vmcore.zip.StoredZip} are the two ends.
 */
@NullMarked
package org.relaxvm.vmcore.zip;

import org.jspecify.annotations.NullMarked;
