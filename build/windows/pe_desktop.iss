; Inno Setup 6 makes the installer of this: iscc /DVersion=0.1.0 /DSource=dist\pe-desktop /DIcon=... /DOutput=dist ...
; An installation for one person needs no administrator; /ALLUSERS with one installs for everybody.
; Silent, for a lab: pe-desktop-...-setup.exe /VERYSILENT /SUPPRESSMSGBOXES /NORESTART /ALLUSERS

#ifndef Version
  #error Version is missing
#endif

[Setup]
AppId={{6B1E7C2A-3D7F-4F6B-9C5E-0C2C9F1B7A54}
AppName=PE Desktop
AppVersion={#Version}
AppPublisher=The pe_desktop authors
DefaultDirName={autopf}\PE Desktop
DefaultGroupName=PE Desktop
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog commandline
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
Compression=lzma2/ultra64
SolidCompression=yes
LicenseFile={#License}
SetupIconFile={#Icon}
UninstallDisplayIcon={app}\PE Desktop.exe
OutputDir={#Output}
OutputBaseFilename={#Name}-setup
WizardStyle=modern
CloseApplications=yes
ChangesAssociations=yes

[Files]
Source: "{#Source}\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs createallsubdirs

[InstallDelete]
; Files of an older version must not be found by the new one.
Type: filesandordirs; Name: "{app}\_internal"

[Icons]
Name: "{autoprograms}\PE Desktop"; Filename: "{app}\PE Desktop.exe"
Name: "{autodesktop}\PE Desktop"; Filename: "{app}\PE Desktop.exe"; Tasks: desktopicon

[Registry]
; A double click on a session opens it. HKA: for one person, or for everybody with /ALLUSERS.
Root: HKA; Subkey: "Software\Classes\{#SessionSuffix}"; ValueType: string; ValueData: "PEDesktop.Session"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\{#SessionSuffix}\OpenWithProgids"; ValueType: string; ValueName: "PEDesktop.Session"; ValueData: ""; Flags: uninsdeletevalue uninsdeletekeyifempty
Root: HKA; Subkey: "Software\Classes\PEDesktop.Session"; ValueType: string; ValueData: "{#SessionName}"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\PEDesktop.Session\DefaultIcon"; ValueType: string; ValueData: "{app}\PE Desktop.exe,0"
Root: HKA; Subkey: "Software\Classes\PEDesktop.Session\shell\open\command"; ValueType: string; ValueData: """{app}\PE Desktop.exe"" ""%1"""

[Tasks]
Name: desktopicon; Description: "{cm:CreateDesktopIcon}"; Flags: unchecked

[Run]
Filename: "{app}\PE Desktop.exe"; Description: "{cm:LaunchProgram,PE Desktop}"; Flags: nowait postinstall skipifsilent
